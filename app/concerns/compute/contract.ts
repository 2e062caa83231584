import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import type { ProcessUsage } from '../../../lib/os/usage.ts'
import type { Logger } from '../../../lib/telemetry/logger.ts'
import type { RequestContext } from '../../context.ts'
import type { PoolReading, WorkTimes } from '../../pool.ts'

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
  /** The queue in which tasks wait. Absent if none waits. */
  readonly queue?: Queue
  /** The present state of the pool. Absent if the implementation has none. */
  readPool?(): Promise<PoolReading>
  /**
   * CPU time and memory of the child processes so far. Threads are not included: they are part of the app's own
   * process. Workers on other machines count with their CPU time. Absent if there are none.
   */
  childUsage?(): Promise<ProcessUsage>
  /**
   * Kills one thread or process, even if it is busy, and waits until another one is ready; fault switches use it. Absent
   * if the implementation has neither.
   */
  kill?(): Promise<void>
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

/** A module with an implementation. */
export interface ComputeModule {
  readonly createCompute: CreateCompute<never>
  /** The promises of a pool that this one does not keep. */
  readonly unkept?: Unkept
}

/** Promises of a pool, each with the reason why it is not kept. The suite of pools leaves out their tests. */
export type Unkept = Readonly<
  Partial<Record<'leaving' | 'deadline' | 'rerun' | 'time limit' | 'memory limit' | 'death', string>>
>
