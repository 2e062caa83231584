import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import type { ProcessUsage } from '../../../lib/os/process-usage.ts'
import type { Logger } from '../../../lib/telemetry/logger.ts'
import type {
  AnswerCall,
  AnswerReport,
  Encoded,
  TaskCall,
  TaskJob,
  TaskPoolOptions,
} from '../../../workers/job.ts'
import type { RequestContext } from '../../context.ts'
import type { PoolReading } from '../../pool.ts'
import type { Problem } from '../../problems.ts'

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
  /**
   * Lets a worker make a whole answer, with the answers file: it runs the tasks too. Absent if no worker can.
   * @param tasks the names of the tasks that the answer needs
   * @param settle is called once, and must not throw. It gets a problem, as `run` throws it, if the answer was not begun or
   * its worker died
   */
  answer?(
    context: RequestContext,
    call: Omit<AnswerCall, 'envelope'>,
    tasks: readonly string[],
    settle: (made: Made | Problem) => void,
  ): void
  /** The queue in which tasks wait. */
  readonly queue: Queue
  /** The present state of the pool; undefined if the implementation has none. */
  readPool(): Promise<PoolReading | undefined>
  /**
   * CPU time and memory of the child processes so far. Threads are not included: they are part of the app's own
   * process. Workers on other machines count with their CPU time.
   */
  childUsage(): Promise<ProcessUsage>
  /**
   * Kills one thread or process, even if it is busy, and waits until another one is ready; fault switches use it. Absent
   * if the implementation has neither.
   */
  kill?(): Promise<void>
  /** Ends the threads or processes of this implementation. No task may be running. */
  close(): Promise<void>
}

/** A task from the file of tasks, with the trace context of its span once that exists. */
export interface TracedTask extends Pick<TaskCall, 'name' | 'input'> {
  readonly traceparent?: string | undefined
}

export interface TaskResult<Output = unknown> {
  readonly output: Output
  /** Milliseconds from the call to the start of the task. */
  readonly waitMs: number
  readonly runMs: number
}

/** The part of an answer that a worker has made so far. */
export interface Made {
  /** The answer, or the problem because of which there is none. */
  readonly outcome: Encoded | Problem
  /** The waiting and running times of the tasks. */
  readonly results: readonly TaskResult[]
  readonly report: AnswerReport | undefined
}

export interface ComputeOptions extends TaskPoolOptions {
  /** The server of NATS over which tasks go to other machines; undefined for the default. */
  readonly nats?: string | undefined
  /** Whether idle threads of this process take tasks before other machines do. */
  readonly localFirst?: boolean
  /** Writes the log lines of tasks, in the context of their request. */
  readonly logger: Logger
}

export type CreateCompute = (options: ComputeOptions) => Promise<Compute>

/** A module with an implementation. */
export interface ComputeModule {
  readonly createCompute: CreateCompute
  /** Whether its workers can wait for data, so that they can fetch it themselves. */
  readonly canFetch?: boolean
  /** The promises of a pool that this one does not keep. */
  readonly unkept?: Unkept
}

/** Promises of a pool, each with the reason why it is not kept. The suite of pools leaves out their tests. */
export type Unkept = Readonly<
  Partial<Record<'leaving' | 'deadline' | 'rerun' | 'time limit' | 'memory limit' | 'death', string>>
>

export const noChildren: ProcessUsage = { cpuMicros: 0, residentBytes: 0 }

/** Puts tasks into envelopes with data of their request. */
export const callsFor = ({ requestId, deadline }: RequestContext, tasks: readonly TracedTask[]): TaskCall[] =>
  tasks.map(({ name, input, traceparent }) => ({
    name,
    input,
    envelope: { requestId, traceparent, deadline },
  }))

/** Puts tasks into messages. */
export const jobFor = (context: RequestContext, tasks: readonly TracedTask[]): TaskJob => ({
  calls: callsFor(context, tasks),
})

/** Puts a request for an answer into a message. */
export const answerJobFor = (
  { requestId, traceparent, deadline }: RequestContext,
  call: Omit<AnswerCall, 'envelope'>,
): TaskJob => ({ answer: { ...call, envelope: { requestId, traceparent, deadline } } })
