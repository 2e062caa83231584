import type { CallTimes } from '../../../lib/call-times.ts'
import type { Payload } from '../../../orders/order.ts'
import type { Plain } from '../../../workers/protocol.ts'
import type { CallHeaders } from '../upstream/contract.ts'
import type { AnswerQuery } from './contract.ts'
import type { AnswerName } from './order-answers.ts'

/*
 * The messages between the main thread and a thread that fetches the data of an answer and makes the answer. They are
 * lists of plain values, because these cost little to copy.
 */

/** The input of an answer: the query, and the headers of the upstream call. */
export function packInput({ name, query, accept }: AnswerQuery, headers: CallHeaders): Plain[] {
  const packed: Plain[] = [name, query.count, query.payload, query.seed, accept]
  for (const header in headers) packed.push(header, headers[header])
  return packed
}

export function unpackInput(packed: readonly Plain[]): { answerQuery: AnswerQuery; headers: CallHeaders } {
  const [name, count, payload, seed, accept, ...rest] = packed
  const headers: Record<string, string> = {}
  for (let index = 0; index < rest.length; index += 2)
    headers[rest[index] as string] = rest[index + 1] as string
  const query = { count: count as number, payload: payload as Payload, seed: seed as number }
  return { answerQuery: { name: name as AnswerName, query, accept: accept as string | undefined }, headers }
}

/** The times of the upstream call and the log lines, which come back with the answer. */
export interface AnswerReport {
  /** The upstream call. */
  readonly times: CallTimes
  /** Log lines for `Logging.takeLines`. */
  readonly lines: string
}

export const packReport = ({ times, lines }: AnswerReport): Plain[] => [
  lines,
  times.startedAtMs,
  times.durationMs,
  times.wasSent,
  times.status,
  times.errorType,
]

export function unpackReport(packed: readonly Plain[]): AnswerReport {
  // By index, for the reason in `workers/packing.ts`.
  const times = {
    startedAtMs: packed[1],
    durationMs: packed[2],
    wasSent: packed[3],
    status: packed[4],
    errorType: packed[5],
  } as CallTimes
  return { times, lines: packed[0] as string }
}
