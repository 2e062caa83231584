import type { CallTimes } from '../lib/telemetry/call-times.ts'
import type { Logger } from '../lib/telemetry/logger.ts'
import { type FormattedLines, packReport } from '../lib/telemetry/thread-calls.ts'
import { ClientWatch, type Envelope } from '../lib/threads/envelope.ts'
import type { AnswerCall, MadeAnswer, TaskCall, TaskRun } from './job.ts'
import type { TaskLine } from './task-log.ts'

/** The exports of a file that makes whole answers in the threads of a pool. */
export interface AnswersModule {
  /** Called once in each thread. @param data what the main thread has given with the file */
  createAnswer(data: never): MakeAnswer | Promise<MakeAnswer>
}

/**
 * Makes an answer. What it awaits holds up no other job of the thread.
 * @throws CodedError when there is no answer for a reason that the app knows; any other error is a failure of the job
 */
export type MakeAnswer = (job: AnswerJob) => Promise<MadeAnswer>

/** An answer to make, in the thread that makes it. It is aborted when its client leaves, and once it has ended. */
export class AnswerJob extends ClientWatch {
  readonly input: unknown
  readonly envelope: Envelope
  /** Log lines that were formatted here; set by `MakeAnswer`. */
  formatted: FormattedLines | undefined
  /** Log lines that the main thread formats, with those of the tasks. */
  readonly lines: TaskLine[] = []
  /** The tasks that have run. */
  runs: readonly TaskRun[] = []
  /** The tasks that it runs when its turn comes. */
  calls: readonly TaskCall[] = []
  #call: CallTimes | undefined
  readonly #turn = Promise.withResolvers<readonly unknown[]>()

  constructor({ input, envelope }: AnswerCall) {
    super()
    this.input = input
    this.envelope = envelope
    this.#turn.promise.catch(() => {})
  }

  /** Milliseconds by the monotonic clock. */
  get deadline(): number {
    return this.envelope.deadline
  }

  /** Writes log lines that the main thread formats. */
  get logger(): Pick<Logger, 'info'> {
    return { info: (message, fields = {}) => void this.lines.push({ level: 'info', message, fields }) }
  }

  /** Notes how the call for its data has ended. */
  readonly endCall = (times: CallTimes): void => {
    this.#call = times
  }

  /** What the main thread is told of the call and the lines; undefined if no call has ended. */
  get report() {
    return this.#call && packReport(this.#call, this.formatted)
  }

  /** Runs CPU tasks when the turn of this job comes. It has to be called before the first `await`. */
  runTasks(tasks: readonly Pick<TaskCall, 'name' | 'input'>[]): Promise<readonly unknown[]> {
    this.calls = tasks.map(task => ({ ...task, envelope: this.envelope }))
    return this.#turn.promise
  }

  /** Takes the turn of this job. @param run runs the tasks that were asked for */
  takeTurn(run: (calls: readonly TaskCall[]) => readonly TaskRun[]): void {
    try {
      this.runs = run(this.calls)
      this.#turn.resolve(this.runs.map(({ output }) => output))
    } catch (error) {
      this.#turn.reject(error)
    }
  }
}
