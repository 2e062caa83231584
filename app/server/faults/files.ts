import { join } from 'node:path'
import type { PageSource } from '../../pages/sources.ts'

/** Lets workers and render threads load files with faults. */
export function takeFaultyFiles(files: { tasksFile: string; pageFile: string }): void {
  files.tasksFile = join(import.meta.dirname, '../../../workers/tasks.faulty.ts')
  files.pageFile = join(import.meta.dirname, '../../pages/page.faulty.ts')
}

/** The same for render threads that fetch the data of pages. */
export function takeFaultyPage({
  page,
}: {
  readonly page: PageSource & { inThreads?: { module: URL } }
}): void {
  if (page.inThreads) page.inThreads.module = new URL('../../pages/in-thread.faulty.ts', import.meta.url)
}
