export { move } from '../packing.ts'
export { createTaskPool } from './task-pool.ts'
export { TaskPoolError, type TaskPoolErrorCode } from './task-pool-error.ts'
export type { CloseOptions, PoolOptions, RunOptions, TaskPool } from './task-types.ts'
