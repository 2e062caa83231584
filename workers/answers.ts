import type { LogFields } from '../lib/telemetry/log-line.ts'
import type { Envelope } from '../lib/threads/envelope.ts'
import type { AnswerCall, TaskCall } from './protocol.ts'

/** The exports of an answers file. */
export interface AnswersModule {
  createAnswers(data: unknown): Answers | Promise<Answers>
}

export interface Answers {
  /** The tasks of an answer. Absent if the tasks come with the job. */
  tasksOf?(input: unknown): readonly Pick<TaskCall, 'name' | 'input'>[]
  /**
   * Begins an answer. In a thread, this may be asynchronous: the tasks of the job run meanwhile.
   * @param input the input of an {@link AnswerCall}
   * @returns a function that finishes the answer once the tasks of the job have run
   * @throws AnswerRefused; any other error means that the data of the answer does not match the query
   */
  begin(input: unknown, request: AnswerRequest): FinishAnswer | Promise<FinishAnswer>
}

/**
 * @param outputs the return values of the tasks, in their order
 * @throws AnswerRefused; any other error is a failure of the job
 */
export type FinishAnswer = (outputs: readonly unknown[], logger: AnswerLogger) => EncodedAnswer

/** The request of an answer. */
export interface AnswerRequest {
  readonly envelope: Envelope
  /** Whether its client has left. */
  readonly gone: boolean
  /** Calls `listener` when the client leaves. The returned function removes the listener. */
  onGone(listener: () => void): () => void
  /** Passed on with the reply as it is, whatever becomes of the answer. */
  report: unknown
}

/** An answer that is not made for a reason that the app knows by its code. */
export class AnswerRefused extends Error {
  override name = 'AnswerRefused'
  readonly code: string

  constructor(code: string, cause: unknown) {
    super(code, { cause })
    this.code = code
  }
}

/** Writes log lines in the context of the request. */
export interface AnswerLogger {
  info(message: string, fields?: LogFields): void
}

export interface EncodedAnswer {
  readonly contentType: string
  readonly body: string | Buffer
}
