import { join } from 'node:path'

/** The files that workers and render threads load with `--faults`. */
export const tasksFile = join(import.meta.dirname, '../../../workers/tasks.faulty.ts')
export const pageFile = join(import.meta.dirname, '../../pages/page.faulty.ts')
