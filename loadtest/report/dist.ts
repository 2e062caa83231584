import { join } from 'node:path'

/** The bundle that `npm run build` makes from `browser/flame-graph.ts`. */
export const FLAME_GRAPH_BUNDLE = join(import.meta.dirname, 'dist', 'flame-graph.js')

/** The font of reports, as a style that holds it: `npm run build` makes it from `font.css`. */
export const FONT = join(import.meta.dirname, 'dist', 'font.css')
