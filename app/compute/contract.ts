import type { ProcessUsage } from '../../lib/process-usage.ts'
import type { TaskInput, TaskName, TaskOutput } from '../../workers/tasks.ts'
import type { RequestContext } from '../context.ts'

/** Runs CPU tasks; the same result wherever they run. */
export interface Compute {
  /**
   * @throws Problem TASK_FAILED when the task throws or what runs it dies, DEADLINE_PASSED when it was not started
   * in time, CLIENT_GONE when its client left before it was started
   */
  run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    context: RequestContext,
  ): Promise<TaskResult<TaskOutput<Name>>>
  /** What the processes that it started have used so far; threads are part of the app's own process. */
  childUsage(): Promise<ProcessUsage>
  /** Ends what it started. No task may be running. */
  close(): Promise<void>
}

export interface TaskResult<Output> {
  readonly output: Output
  /** From the call to the start of the task. */
  readonly waitMs: number
  readonly runMs: number
}

export interface ComputeOptions {
  /** How many threads or processes. */
  readonly threads: number
  /** The file that exports `tasks`. */
  readonly tasksFile: string
}

export type CreateCompute = (options: ComputeOptions) => Promise<Compute>

export const noChildren: ProcessUsage = { cpuMicros: 0, residentBytes: 0 }
