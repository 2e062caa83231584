export interface PoolOptions {
  /**
   * The module whose exported functions are the tasks, in TypeScript or JavaScript; such as
   * `new URL(…, import.meta.url)`.
   */
  readonly tasks: URL
  /** Number of threads. By default one fewer than the cores, and at least one. */
  readonly threads?: number
  /** A task that would have to wait longer than this is refused, in milliseconds. By default nothing is refused. */
  readonly maxWaitMs?: number
  /** The time limit of a task from its start, in milliseconds. After it, its thread is replaced. By default 30,000; Infinity for none. */
  readonly taskTimeoutMs?: number
  /**
   * The limit of the heap of a thread, and also of its buffers, in MiB. A thread that exceeds it is replaced. By default
   * 512.
   */
  readonly workerMemoryMib?: number
  /** Nice value of the threads on Linux, 0 to 19; by default 10, so that tasks do not take the main thread's core. */
  readonly workerPriority?: number
}

/** Worker threads that run the tasks of a module. Tasks begin first in, first out. */
export interface TaskPool<Module extends object> {
  /**
   * Runs a task. Its input and its output are copied, as `postMessage` copies. If a thread dies, the tasks that it had
   * not begun or not yet answered run again in another one; the running task fails.
   * @throws TaskPoolError; or the reason of the signal
   */
  run<Name extends TaskName<Module>>(
    name: Name,
    ...inputAndOptions: RunArguments<Module, Name>
  ): Promise<TaskOutput<Module, Name>>
  /** Number of tasks that wait for a thread. */
  readonly waiting: number
  /** Number of threads that were replaced and still run, because nothing can interrupt what they do. */
  readonly stuckThreads: number
  /**
   * Refuses the tasks that wait, and all later ones, with `POOL_CLOSED`; lets those that were begun end, and then ends the threads.
   * Their output on stdout and stderr is delivered before the promise resolves.
   */
  close(options?: CloseOptions): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * The functions of a module that can be tasks: they take at most one input. A module may also export them as `tasks`.
 */
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
  /** When it is aborted, a waiting task is removed. A running task goes on, and its output is dropped. */
  readonly signal?: AbortSignal
}

/** The arguments of `run` behind the name. A task without an input is run without one. */
export type RunArguments<Module, Name> =
  Parameters<TaskOf<Module, Name>> extends [infer Input]
    ? [input: Input, options?: RunOptions]
    : [input?: Parameters<TaskOf<Module, Name>>[0], options?: RunOptions]
