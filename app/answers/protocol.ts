import type { ThreadLogging } from '../../lib/telemetry/logger.ts'
import type { Payload } from '../../orders/order.ts'
import type { Plain } from '../../workers/job.ts'
import type { ThreadData } from '../concerns/upstream/contract.ts'
import type { Implementation } from '../concerns.ts'
import type { AnswerQuery } from './build.ts'
import type { AnswerName } from './order-answers.ts'

/** The data of a thread that fetches and makes answers. */
export interface MakerData {
  readonly serialization: Implementation<'serialization'>
  readonly upstream: ThreadData
  /** Undefined if the main thread formats the log lines. */
  readonly logging: ThreadLogging | undefined
}

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
