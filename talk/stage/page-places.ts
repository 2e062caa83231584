import { join } from 'node:path'

/** The sources of the page, and the results of `npm run build` for it. */
export const STAGE = { page: join(import.meta.dirname, 'page'), dist: join(import.meta.dirname, 'dist') }
