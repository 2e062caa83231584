import { join } from 'node:path'

export const PAGE = join(import.meta.dirname, 'page')
/** The results of `npm run build` for `page/`. */
export const DIST = join(import.meta.dirname, 'dist')
