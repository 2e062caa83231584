export { createTaskPool, type PoolOptions, type TaskPool } from './task-pool.ts'
export { TaskPoolError, type TaskPoolErrorCode } from './task-pool-error.ts'
export type { RunOptions } from './task-types.ts'
