export { move } from '../packing.ts'
export { createTaskPool } from './task-pool.ts'
export {
  type CloseOptions,
  type PoolOptions,
  type RunOptions,
  type TaskPool,
  TaskPoolError,
  type TaskPoolErrorCode,
} from './task-types.ts'
export type { TimeSummary } from './timing.ts'
