import { join } from 'node:path'

/** The bundle that `npm run build` makes from `browser/flame-graph.ts`. */
export const FLAME_GRAPH_BUNDLE = join(import.meta.dirname, 'dist', 'flame-graph.js')
