import { join } from 'node:path'
import type { ThreadPage } from '../../pages/in-thread.ts'

/** Lets workers load a file with faults. */
export function takeFaultyTasks(files: { tasksFile: string }): void {
  files.tasksFile = join(import.meta.dirname, '../../../workers/tasks.faulty.ts')
}

/** Lets render threads load a page with faults. @param options `pages` is how its file is named, if it is another one */
export function takeFaultyPage(page: ThreadPage, options: object): void {
  const { faults, pages = faults && 'faulty' } = options as {
    readonly faults?: boolean
    readonly pages?: string
  }
  if (pages) page.module = new URL(page.module.href.replace(/\.ts$/, `.${pages}.ts`))
}
