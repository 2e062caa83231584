import { pathToFileURL } from 'node:url'
import type { CallTimes } from '../../lib/telemetry/call-times.ts'
import { packReport } from '../../lib/telemetry/thread-calls.ts'
import { createLineFormatter, type LineFormatterOptions } from '../../logger-transport/thread-lines.ts'
import type { AnswerJob, MakeAnswer } from '../../workers/answers.ts'
import { packAnswer } from '../../workers/job.ts'
import type { Serialization } from '../concerns/serialization/contract.ts'
import { type ClientOptions, createOrdersClient } from '../concerns/upstream/orders-client.ts'
import { logTextOf } from '../context.ts'
import { decodeExactly } from './answers.ts'
import { orderAnswers } from './order-answers.ts'
import { unpackQuery } from './packed-query.ts'

export interface AnswerThreadData {
  readonly serializationFile: string
  readonly upstream: ClientOptions
  /** Undefined if the main thread formats the log lines. */
  readonly lines: LineFormatterOptions | undefined
}

/** A worker thread loads this file to fetch orders, and to make answers of them. */
export async function createAnswer(given: unknown): Promise<MakeAnswer> {
  const data = given as AnswerThreadData
  const { createSerialization } = await import(pathToFileURL(data.serializationFile).href)
  const serialization: Serialization = createSerialization()
  const client = createOrdersClient(data.upstream)
  const lines = data.lines && createLineFormatter(data.lines)

  return async job => {
    const { name, query, accept, headers, logs } = unpackQuery(job.input)
    const { tasks, log, compose } = orderAnswers[name]
    let times: CallTimes | undefined
    const onEnd = (ended: CallTimes) => {
      times = ended
      job.report = packReport(ended)
    }
    const [fetched, runs] = await Promise.all([
      client.fetchOrders(query, job, { headers, onEnd }),
      job.runTasks(tasks(query)),
    ])
    // Decoded before the tasks, which make much garbage, the orders would outlive collections of the young generation.
    const orders = decodeExactly(serialization, fetched, query.count)
    if (logs) log(orders, lines?.loggerFor(logTextOf(job.envelope)) ?? loggerOf(job))
    job.report = packReport(times as CallTimes, lines?.take())
    const outputs = runs.map(({ output }) => output)
    return packAnswer(serialization.encode(name, compose(query, orders, outputs), accept), job.report, runs)
  }
}

/** Sends the lines to the main thread, which formats them. */
const loggerOf = ({ lines }: AnswerJob) => ({
  info: (message: string, fields = {}) => void lines.push({ level: 'info', message, fields }),
})
