import { join } from 'node:path'
import type { ThreadPage } from '../../pages/in-thread.ts'

/** Lets workers load a file with faults. */
export function takeFaultyTasks(files: { tasksFile: string }): void {
  files.tasksFile = join(import.meta.dirname, '../../../workers/tasks.faulty.ts')
}

const pageWithFaults = new URL('../../pages/in-thread.faulty.ts', import.meta.url)
const fetchingPageWithFaults = new URL('../../pages/fetching-in-thread.faulty.ts', import.meta.url)

/** Lets render threads load a page with faults, if the app has them. @param options those of the implementation */
export function takeFaultyPage(
  page: ThreadPage,
  options: { faults?: boolean; inThreads?: ThreadPage },
): void {
  if (options.faults) page.module = options.inThreads ? fetchingPageWithFaults : pageWithFaults
}
