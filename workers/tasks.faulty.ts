import { hang } from '../lib/threads/hang.ts'
import { tasks as real } from './tasks.ts'

/** The real tasks and the hanging one of the fault switches. This file is loaded with `--faults` only. */
export const tasks = { ...real, hang }
