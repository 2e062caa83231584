import type { ResourceLimits, SHARE_ENV, Transferable } from 'node:worker_threads'
import type { Timing } from './timing.ts'

export interface PoolOptions {
  /** The module whose exported functions are the tasks, in TypeScript or JavaScript: `new URL(…, import.meta.url)`. */
  readonly tasks: URL
  /** Number of threads. By default one fewer than the cores, and at least one. It is short for equal `minThreads` and `maxThreads`. */
  readonly threads?: number
  /** The least number of threads; by default `maxThreads`. With 0, the last one ends when it is idle, too. */
  readonly minThreads?: number
  /** The most threads. One is started while tasks wait. By default one fewer than the cores, and at least one. */
  readonly maxThreads?: number
  /** A thread above `minThreads` that has had nothing to do for this time ends, in milliseconds; by default 1,000. Infinity for never. */
  readonly idleTimeout?: number
  /** The most tasks that may wait for a thread. Further ones are refused. By default there is no limit. */
  readonly maxQueue?: number
  /** A task that would have to wait longer than this is refused, in milliseconds. By default nothing is refused. */
  readonly maxWaitMs?: number
  /** The time limit of a task from its start, in milliseconds. After it, its thread is replaced. By default 30,000; Infinity for none. */
  readonly taskTimeoutMs?: number
  /** The limit of the heap of a thread, and also of its buffers, in MiB; by default 512. One that exceeds it is replaced. */
  readonly workerMemoryMib?: number
  /** Nice value of the threads on Linux, 0 to 19; by default 10, so that tasks do not take the main thread's core. */
  readonly workerPriority?: number
  /**
   * Number of asynchronous tasks that run beside each other in a thread; by default 1. With more, a task that takes too long fails, and
   * its thread is replaced only if the task blocks it.
   */
  readonly concurrentTasksPerWorker?: number
  /**
   * Whether a task may run twice. With true, a task that had begun in a thread that died because of another task runs again, also if it
   * was done and its output was lost. By default it fails with `WORKER_DIED`. A task that had not begun runs in either case.
   */
  readonly idempotent?: boolean
  /** Whether `histogram` records the times of tasks; by default false. */
  readonly recordTiming?: boolean
  /** Limits of each thread, as `new Worker` takes them. */
  readonly resourceLimits?: ResourceLimits
  /** `process.env` of the threads, as `new Worker` takes it. */
  readonly env?: NodeJS.ProcessEnv | typeof SHARE_ENV
  /** Arguments that follow in `process.argv` of the threads. */
  readonly argv?: readonly string[]
  /** Options of Node.js for the threads; by default those of the process. */
  readonly execArgv?: readonly string[]
  /** `workerData` of `node:worker_threads` in the threads. It is copied for each. */
  readonly workerData?: unknown
}

/** Worker threads that run the tasks of a module. Tasks begin first in, first out. */
export interface TaskPool<Module extends object> {
  /**
   * Runs a task. Its input and its output are copied, as `postMessage` copies, unless `transferList` or `move` gives them away. If a
   * thread dies, the tasks that it had not begun run in another one; see `idempotent` for the others.
   * @throws TaskPoolError; or the reason of the signal
   */
  run<Name extends TaskName<Module>>(
    name: Name,
    ...inputAndOptions: RunArguments<Module, Name>
  ): Promise<TaskOutput<Module, Name>>
  /** Number of tasks that wait for a thread. */
  readonly waiting: number
  /** Number of threads. */
  readonly threads: number
  /** Times of the tasks, with the option `recordTiming`. */
  readonly histogram: Timing | undefined
  /**
   * Puts a new thread in the place of each. Resolves when the old ones have finished their tasks and ended.
   * @throws when a new thread cannot load the module; the old ones then stay
   */
  recycle(): Promise<void>
  /** Number of threads that were replaced and still run, because nothing can interrupt what they do. */
  readonly stuckThreads: number
  /**
   * Refuses the tasks that wait, and all later ones, with `POOL_CLOSED`; lets those that were begun end, and then ends the threads.
   * Their output on stdout and stderr is delivered before the promise resolves.
   */
  close(options?: CloseOptions): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The functions of a module that can be tasks: they take at most one input. It may also export them as `tasks`. */
type TasksOf<Module> = Module extends { readonly tasks: infer Tasks } ? Tasks : Module

type Task = (input: never) => unknown

/** The names of the tasks of a module. */
export type TaskName<Module> = {
  [Name in keyof TasksOf<Module>]: TasksOf<Module>[Name] extends Task ? Name : never
}[keyof TasksOf<Module>] &
  string

type TaskOf<Module, Name> = Name extends keyof TasksOf<Module> ? Extract<TasksOf<Module>[Name], Task> : never

/** The output of a task; if the task is asynchronous, the value of its promise. */
export type TaskOutput<Module, Name> = Awaited<ReturnType<TaskOf<Module, Name>>>

export interface CloseOptions {
  /**
   * Tasks that have not ended after this time are ended with their thread, and fail with `POOL_CLOSED`, in milliseconds. By default
   * 30,000; Infinity for none.
   */
  readonly graceMs?: number
}

export interface RunOptions {
  /**
   * Milliseconds by `performance.now()`. A task that has not begun by then does not begin. For a limit on the whole
   * call, use `AbortSignal.timeout()` as the signal.
   */
  readonly deadline?: number
  /**
   * When it is aborted, a waiting task is removed. A running one is ended with its thread, whose place another one takes; beside other
   * asynchronous tasks it goes on, and its output is dropped.
   */
  readonly signal?: AbortSignal
  /** What the input gives away to the thread instead of a copy, such as ArrayBuffers and MessagePorts. */
  readonly transferList?: readonly Transferable[]
}

/** The arguments of `run` behind the name. A task without an input is run without one. */
export type RunArguments<Module, Name> =
  Parameters<TaskOf<Module, Name>> extends [infer Input]
    ? [input: Input, options?: RunOptions]
    : [input?: Parameters<TaskOf<Module, Name>>[0], options?: RunOptions]

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
