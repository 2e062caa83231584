import type { ProcessData, TaskPoolOptions } from './protocol.ts'

/** What of a pool's options travels to those that run its tasks. */
export const processData = ({ tasksFile, codecFile, workerPriority }: TaskPoolOptions): ProcessData => ({
  tasksFile,
  codecFile,
  priority: workerPriority,
})
