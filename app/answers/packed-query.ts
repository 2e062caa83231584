import type { CallHeaders } from '../../lib/telemetry/call-times.ts'
import type { Payload } from '../../orders/order.ts'
import type { Plain } from '../../workers/job.ts'
import type { AnswerName, AnswerQuery } from './order-answers.ts'

/** @param logs whether log lines are written */
export function packQuery(
  { name, query, accept }: AnswerQuery,
  logs: boolean,
  headers: CallHeaders,
): Plain[] {
  const packed: Plain[] = [name, query.count, query.payload, query.seed, accept, logs]
  for (const header in headers) packed.push(header, headers[header])
  return packed
}

export function unpackQuery(packed: readonly Plain[]): AnswerQuery & { logs: boolean; headers: CallHeaders } {
  const [name, count, payload, seed, accept, logs, ...rest] = packed
  const headers: Record<string, string> = {}
  for (let at = 0; at < rest.length; at += 2) headers[rest[at] as string] = rest[at + 1] as string
  const query = { count: count as number, payload: payload as Payload, seed: seed as number }
  return { name: name as AnswerName, query, accept: accept as string, logs: logs as boolean, headers }
}
