export { createTaskPool, type PoolOptions, type TaskPool } from './main-thread/task-pool.ts'
export { TaskPoolError, type TaskPoolErrorCode } from './main-thread/task-pool-error.ts'
export type { RunOptions } from './main-thread/task-types.ts'
