import { join } from 'node:path'

/** Lets workers and render threads load files with faults. */
export function takeFaultyFiles(files: { tasksFile: string; pageFile: string }): void {
  files.tasksFile = join(import.meta.dirname, '../../../workers/tasks.faulty.ts')
  files.pageFile = join(import.meta.dirname, '../../pages/page.faulty.ts')
}
