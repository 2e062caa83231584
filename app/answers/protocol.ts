import type { Payload } from '../../orders/order.ts'
import type { Plain } from '../../workers/protocol.ts'
import type { AnswerQuery } from './build.ts'
import type { AnswerName } from './order-answers.ts'

/** The query of an answer as a list of plain values, which costs a message to a thread little. */
export const packQuery = ({ name, query, accept }: AnswerQuery): Plain[] => [
  name,
  query.count,
  query.payload,
  query.seed,
  accept,
]

export function unpackQuery(packed: readonly Plain[]): AnswerQuery {
  const [name, count, payload, seed, accept] = packed
  const query = { count: count as number, payload: payload as Payload, seed: seed as number }
  return { name: name as AnswerName, query, accept: accept as string | undefined }
}
