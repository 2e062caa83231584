import { join } from 'node:path'
import type { PageDataFile, ThreadFile } from '../thread-data.ts'

/**
 * A thread that renders parts, and makes whole pages.
 * @param pageData fetches the data of pages in the thread. Without it, the thread makes no pages.
 */
export const pageThread = (rendererFile: string, pageData: PageDataFile | undefined): ThreadFile => ({
  file: join(import.meta.dirname, '../thread.ts'),
  data: { rendererFile, pageData },
})
