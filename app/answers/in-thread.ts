import { pathToFileURL } from 'node:url'
import type { CallHeaders } from '../../lib/telemetry/call-times.ts'
import { createLineFormatter, type ThreadLineOptions } from '../../logger-transport/thread-lines.ts'
import type { MakeAnswer } from '../../workers/answers.ts'
import type { Serialization } from '../concerns/serialization/contract.ts'
import { type ClientOptions, createOrdersClient } from '../concerns/upstream/orders-client.ts'
import { decodeUpstream } from '../problems.ts'
import { type AnswerQuery, orderAnswers } from './order-answers.ts'

export interface AnswerThreadData {
  readonly serializationFile: string
  readonly upstream: ClientOptions
  /** Undefined if the main thread formats the log lines. */
  readonly format: ThreadLineOptions | undefined
}

export type AskedAnswer = readonly [query: AnswerQuery, headers: CallHeaders]

/** A worker thread loads this file to fetch orders, and to make answers of them. */
export async function createAnswer(data: AnswerThreadData): Promise<MakeAnswer> {
  const { createSerialization } = await import(pathToFileURL(data.serializationFile).href)
  const serialization: Serialization = createSerialization()
  const client = createOrdersClient(data.upstream)
  const lines = data.format && createLineFormatter(data.format)

  return async job => {
    const [{ name, query, accept }, headers] = job.input as AskedAnswer
    const { tasks, log, compose } = orderAnswers[name]
    const [fetched, outputs] = await Promise.all([
      client.fetchOrders(query, job, { headers, onEnd: job.endCall }),
      job.runTasks(tasks(query)),
    ])
    // Decoded before the tasks, which make much garbage, the orders would outlive collections of the young generation.
    const orders = decodeUpstream(() => serialization.decodeOrders(fetched), query.count)
    log(orders, lines?.loggerFor(job.envelope) ?? job.logger)
    job.formatted = lines?.take()
    return serialization.encode(name, compose(query, orders, outputs), accept)
  }
}
