import { join } from 'node:path'

const placesIn = (folder: string) => ({ page: join(folder, 'page'), dist: join(folder, 'dist') })

/** The sources of each page, and the results of `npm run build` for them. */
export const STAGE = placesIn(import.meta.dirname)
