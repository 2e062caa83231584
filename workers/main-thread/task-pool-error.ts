/** The reasons why `TaskPool.run` has no output, by their codes. */
const messages = {
  TASK_FAILED: 'the task threw; see the cause',
  TASK_TIMEOUT: 'the task took longer than taskTimeoutMs, so its thread was replaced',
  WORKER_DIED: 'the thread of the task died; raise workerMemoryMib if the cause is its memory',
  DEADLINE_PASSED: 'the task did not begin before its deadline',
  OVERLOADED: 'maxQueue tasks wait, or the task would have to wait longer than maxWaitMs; try again later',
  UNKNOWN_TASK: 'the module exports no such function',
  POOL_CLOSED: 'the pool was closed before the task was done',
} as const

export type TaskPoolErrorCode = keyof typeof messages

/** A task without an output. `code` says why, and `cause` is the error of the task or of its thread, if there is one. */
export class TaskPoolError extends Error {
  override name = 'TaskPoolError'
  readonly code: TaskPoolErrorCode

  constructor(code: TaskPoolErrorCode, cause?: Error, message: string = messages[code]) {
    super(message, { cause })
    this.code = code
  }
}
