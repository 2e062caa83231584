import { join } from 'node:path'

/** What `npm run build` makes of `browser/flame-graph.ts`. */
export const FLAME_GRAPH_BUNDLE = join(import.meta.dirname, 'dist', 'flame-graph.js')
