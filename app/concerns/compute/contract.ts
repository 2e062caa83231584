import type { Logger } from '../../../lib/telemetry/logger.ts'
import type { RequestContext, WorkTimes } from '../../context.ts'
import type { Operated } from '../../server/operated.ts'

/** Runs CPU tasks. The result is the same wherever they run. */
export interface Compute {
  /**
   * Runs tasks of one request. They travel in one message and run one after the other, because a hop to another thread
   * costs the main thread more than a small task does.
   * @throws Problem TASK_FAILED when a task throws or its thread or process dies, TASK_TIMEOUT when the tasks take too
   * long, DEADLINE_PASSED when a task was not started in time, CLIENT_GONE when the client left before the first task
   * was started
   */
  run(context: RequestContext, ...tasks: readonly TracedTask[]): Promise<readonly TaskResult[]>
  readonly operated?: Operated
  /** Ends the threads or processes of this implementation. No task may be running. */
  close(): Promise<void>
}

export interface TaskResult<Output = unknown> extends WorkTimes {
  readonly output: Output
}

/** A task from the file of tasks, with the trace context of its span once that exists. */
export interface TracedTask {
  readonly name: string
  readonly input: unknown
  readonly traceparent?: string | undefined
}

export interface ComputeOptions {
  /** The file of the tasks, such as `workers/tasks.ts`. */
  readonly tasksFile: string
  /** Writes the log lines of tasks, in the context of their request. */
  readonly logger: Logger
}

export type CreateCompute<Own = unknown, Made extends Compute = Compute> = (
  options: ComputeOptions & Own,
) => Promise<Made>

export interface ComputeModule {
  readonly createCompute: CreateCompute<never>
  readonly unkept?: Unkept
}

/** Promises of a pool, each with the reason why it is not kept. The suite of pools leaves out their tests. */
export type Unkept = Readonly<
  Partial<Record<'leaving' | 'deadline' | 'time limit' | 'memory limit' | 'death', string>>
>
