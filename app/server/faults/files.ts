import { join } from 'node:path'
import type { ThreadPage } from '../../pages/in-thread.ts'

/** Lets workers load a file with faults. */
export function takeFaultyTasks(files: { tasksFile: string }): void {
  files.tasksFile = join(import.meta.dirname, '../../../workers/tasks.faulty.ts')
}

const pageWithFaults = new URL('../../pages/in-thread.faulty.ts', import.meta.url)
const fetchingPageWithFaults = new URL('../../pages/fetching-in-thread.faulty.ts', import.meta.url)

/** Lets render threads load a page with faults. @param options `pageOfThreads` is another page for them */
export function takeFaultyPage(page: ThreadPage, options: object): void {
  const { faults, inThreads, pageOfThreads } = options as {
    readonly faults?: boolean
    readonly inThreads?: object
    readonly pageOfThreads?: URL
  }
  const faulty = inThreads ? fetchingPageWithFaults : pageWithFaults
  if (faults || pageOfThreads) page.module = pageOfThreads ?? faulty
}
