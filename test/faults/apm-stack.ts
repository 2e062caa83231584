import { join } from 'node:path'
import { toFlags } from '../../lib/cli/command-line.ts'
import { type RunningProcess, startProcess } from '../../lib/processes/start-process.ts'
import { logPlaces } from '../stack-parts.ts'
import { readMetric, startLoaded } from './loaded-stack.ts'
import { step } from './protocol.ts'

/** A route with one task and no upstream call. */
export const ROUTE = '/cpu?size=1'
/** A small limit is reached soon. */
export const MEMORY_MIB = 1

/** Starts a stack under load whose app keeps few records that wait for apm-agent. */
export const startTraced = (directory: string, options: { clients?: number; pauseMs?: number } = {}) =>
  startLoaded(directory, { path: ROUTE, ...options, app: { apmMemoryMib: MEMORY_MIB } })

/** Starts apm-agent, or the app, as a process of its own. */
export function start(name: string, values: Readonly<Record<string, unknown>>): Promise<RunningProcess> {
  const file = join(import.meta.dirname, '../..', name, 'main.ts')
  return startProcess({ name, file, flags: toFlags({ port: 0, ...values }), echo: false })
}

export const startApp = (directory: string, values: Readonly<Record<string, unknown>>) =>
  start('app', { adminPort: 0, ...step.composition, ...logPlaces(directory), ...values })

/** Number of spans that apm-agent has received, 0 while it does not answer. They arrive as records or, before step 5, by OTLP. */
export const receivedSpans = ({ addresses }: Pick<RunningProcess, 'addresses'>): Promise<number> =>
  readMetric(addresses.http, 'apm_agent_spans_received_total').catch(() => 0)

/** Number of spans that apm-agent has received and that wait for the collector. */
export async function countWaiting({ addresses }: Pick<RunningProcess, 'addresses'>): Promise<number> {
  const read = (what: string) => readMetric(addresses.http, `apm_agent_spans_${what}_total`)
  const [received, exported, dropped] = [
    await read('received'),
    await read('exported'),
    await read('dropped'),
  ]
  return received - exported - dropped
}
