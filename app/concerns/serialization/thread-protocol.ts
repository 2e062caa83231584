import type { CallTimes } from '../apm/contract.ts'
import type { CallHeaders } from '../upstream/contract.ts'
import type { AnswerQuery } from './contract.ts'

/** What the main thread sends to a thread that fetches and makes an answer. */
export interface ThreadAnswerInput extends AnswerQuery {
  /** The headers of the upstream call. */
  readonly headers: CallHeaders
}

/** What comes back besides the answer. */
export interface AnswerReport {
  /** The upstream call; undefined if none was made. */
  readonly called: CallTimes | undefined
  /** Log lines for `Logging.takeLines`. */
  readonly lines: string
}
