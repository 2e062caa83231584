import { hang } from '../lib/hang.ts'
import { tasks as real } from './tasks.ts'

/** The real tasks, and the one that fault switches run. Loaded with `--faults` only. */
export const tasks = { ...real, hang }
