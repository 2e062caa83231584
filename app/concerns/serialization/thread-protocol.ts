import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import type { Payload } from '../../../orders/order.ts'
import type { Plain } from '../../../workers/protocol.ts'
import type { FormattedLines } from '../logging/contract.ts'
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
  readonly lines: FormattedLines
}

export const packReport = ({ times, lines }: AnswerReport): Plain[] => [
  lines.text,
  lines.count,
  times.startedAtMs,
  times.durationMs,
  times.wasSent,
  times.status,
  times.errorType,
]

export function unpackReport(packed: readonly Plain[]): AnswerReport {
  // By index, for the reason in `workers/packing.ts`.
  const times = {
    startedAtMs: packed[2],
    durationMs: packed[3],
    wasSent: packed[4],
    status: packed[5],
    errorType: packed[6],
  } as CallTimes
  return { times, lines: { text: packed[0], count: packed[1] } as FormattedLines }
}
