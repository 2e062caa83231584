import type { CallHeaders, CallTimes } from '../lib/telemetry/call-times.ts'
import type { FormattedLines, Logger } from '../lib/telemetry/logger.ts'
import { Departure } from '../lib/threads/departure.ts'
import type { Envelope } from '../lib/threads/envelope.ts'
import type { AnswerCall, AnswerReport, Encoded, TaskCall } from './job.ts'

/** The exports of an answers file. */
export interface AnswersModule {
  createMaker(data: unknown): AnswerMaker | Promise<AnswerMaker>
}

/** Makes whole answers in a thread or process. */
export interface AnswerMaker {
  /** The tasks of an answer. */
  tasksOf(input: unknown): readonly Pick<TaskCall, 'name' | 'input'>[]
  /**
   * Begins an answer. In a thread, this may be asynchronous: the tasks of the job run meanwhile.
   * @param input the input of an {@link AnswerCall}
   * @returns a function that finishes the answer once the tasks of the job have run
   * @throws CodedError when there will be no answer, for a reason that the app knows
   */
  begin(input: unknown, request: AnswerRequest): FinishAnswer | Promise<FinishAnswer>
  /** Takes the log lines that it has formatted while it finished an answer. */
  takeLines?(): FormattedLines | undefined
}

/**
 * @param outputs the return values of the tasks, in their order
 * @param logger writes lines in the context of the request
 * @throws CodedError as `begin`; any other error is a failure of the job
 */
export type FinishAnswer = (outputs: readonly unknown[], logger: Pick<Logger, 'info'>) => Encoded

/** The request of an answer, in the thread or process that makes it. It is left, too, when it has failed. */
export class AnswerRequest extends Departure {
  readonly envelope: Envelope
  /** The headers that a call upstream for this answer passes on. */
  readonly headers: CallHeaders
  /** Passed on with the reply, whatever becomes of the answer. */
  report: AnswerReport | undefined

  constructor({ envelope, headers = {} }: Pick<AnswerCall, 'envelope' | 'headers'>) {
    super()
    this.envelope = envelope
    this.headers = headers
  }

  get deadline(): number {
    return this.envelope.deadline
  }

  /** Notes how the call upstream went. */
  onCalled(times: CallTimes): void {
    this.report = { times, lines: { text: '', count: 0 } }
  }
}
