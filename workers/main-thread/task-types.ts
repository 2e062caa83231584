/** The functions of a module that can be tasks: they take at most one input. A module may also export them as `tasks`. */
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

export interface RunOptions {
  /**
   * Milliseconds by `performance.now()`. A task that has not begun by then does not begin. For a limit on the whole call,
   * use `AbortSignal.timeout()` as the signal.
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
