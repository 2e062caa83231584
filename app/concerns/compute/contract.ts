import type { ProcessUsage } from '../../../lib/process-usage.ts'
import type { TaskCall, TaskJob, TaskPoolOptions } from '../../../workers/protocol.ts'
import type { RequestContext } from '../../context.ts'
import type { Lane } from '../../overload/lane.ts'
import type { PoolReading } from '../../pool.ts'
import type { Logger } from '../logging/contract.ts'
import type { AnswerInput, Encoded } from '../serialization/contract.ts'

/** Runs CPU tasks; the same result wherever they run. */
export interface Compute {
  /**
   * Runs tasks of one request. Those given together travel together and run one after the other: a hop to another
   * thread costs the main thread more than a small task does.
   * @throws Problem TASK_FAILED when a task throws or what runs it dies, TASK_TIMEOUT when the tasks take too long,
   * DEADLINE_PASSED when one was not started in time, CLIENT_GONE when the client left before the first was started
   */
  run(context: RequestContext, ...tasks: readonly TracedTask[]): Promise<readonly TaskResult[]>
  /**
   * Runs the tasks of an answer and makes it where they run, by the `beginAnswer` of `answersFile`.
   * @throws Problem UPSTREAM_FAILED when its data is not what was asked for; otherwise as `run`
   */
  answer(context: RequestContext, input: AnswerInput, ...tasks: readonly TracedTask[]): Promise<Answered>
  /** Where tasks wait. */
  readonly lane: Lane
  /** The pool as it is now; undefined where there is none. */
  readPool(): Promise<PoolReading | undefined>
  /** What the processes that it started have used so far; threads are part of the app's own process. */
  childUsage(): Promise<ProcessUsage>
  /** Kills one of its threads or processes, whatever it does: for fault switches. Absent where it has none. */
  kill?(): void
  /** Ends what it started. No task may be running. */
  close(): Promise<void>
}

/** A task of the file of tasks, with the trace context of its span once it has one. */
export interface TracedTask extends Pick<TaskCall, 'name' | 'input'> {
  readonly traceparent?: string | undefined
}

export interface TaskResult<Output = unknown> {
  readonly output: Output
  /** From the call to the start of the task. */
  readonly waitMs: number
  readonly runMs: number
}

/** An answer that was made where its tasks ran, and how long they waited and ran. */
export interface Answered {
  readonly encoded: Encoded
  readonly results: readonly TaskResult[]
}

export interface ComputeOptions extends TaskPoolOptions {
  /** Writes what tasks log, in the context of their request. */
  readonly logger: Logger
}

export type CreateCompute = (options: ComputeOptions) => Promise<Compute>

export const noChildren: ProcessUsage = { cpuMicros: 0, residentBytes: 0 }

/** Tasks as they travel, and the answer to be made of them: each in an envelope of its request. */
export function jobFor(context: RequestContext, tasks: readonly TracedTask[], input?: AnswerInput): TaskJob {
  const { requestId, deadline } = context
  return {
    calls: tasks.map(({ name, input, traceparent }) => ({
      name,
      input,
      envelope: { requestId, traceparent, deadline },
    })),
    answer: input && { input, envelope: { requestId, traceparent: context.traceparent, deadline } },
  }
}
