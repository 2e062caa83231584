import { join } from 'node:path'
import { toFlags } from '../../lib/cli/command-line.ts'
import type { Counts } from '../../lib/processes/protocol.ts'
import { type RunningProcess, startProcess } from '../../lib/processes/start-process.ts'
import { logPlaces, type Stack, startStack } from '../stack-parts.ts'
import { step } from './protocol.ts'

/** A route with one task and no upstream call. */
export const ROUTE = '/cpu?size=1'

export const { composition } = step

/** A small limit is reached soon. */
export const MEMORY_MIB = 1

export const startTracedStack = (
  directory: string,
  app: { readonly apmSocket?: string } = {},
): Promise<Stack> =>
  startStack({ composition, app: { ...logPlaces(directory), apmMemoryMib: MEMORY_MIB, ...app } })

export function start(name: string, values: Readonly<Record<string, unknown>>): Promise<RunningProcess> {
  const file = join(import.meta.dirname, '../..', name, 'main.ts')
  return startProcess({ name, file, flags: toFlags({ port: 0, ...values }), echo: false })
}

export const startApp = (
  directory: string,
  values: Readonly<Record<string, unknown>>,
): Promise<RunningProcess> =>
  start('app', { adminPort: 0, ...composition, ...logPlaces(directory), ...values })

export const routeOf = (stack: Stack) => stack.address('app') + ROUTE

export const agentOf = (stack: Stack) =>
  stack.processes.find(({ name }) => name === 'apm-agent') as RunningProcess

export const droppedSpans = (stack: Stack) => countDropped(stack.address('app', 'admin'))

/** Number of spans that were dropped, or would be lost if the app ended now. */
export async function countDropped(adminUrl: string | undefined): Promise<number> {
  const response = await fetch(`${adminUrl}/counts`)
  return ((await response.json()) as Counts).spans?.dropped ?? 0
}

/** Number of spans that apm-agent has received, 0 while it does not answer. */
export async function receivedSpans(agent: RunningProcess): Promise<number> {
  return (await readCounts(agent).catch(() => undefined))?.received ?? 0
}

/** Number of spans that apm-agent has received and that wait for the collector. */
export async function countWaiting(agent: RunningProcess): Promise<number> {
  const { received, exported, dropped } = await readCounts(agent)
  return received - exported - dropped
}

async function readCounts({ addresses }: RunningProcess) {
  const text = await (await fetch(`${addresses.http}/metrics`)).text()
  // Spans arrive as records or, from steps before 5, by OTLP.
  const read = (name: string) =>
    Array.from(
      text.matchAll(new RegExp(`^apm_agent_spans_${name}(?:\\{[^}]*\\})? (\\d+)$`, 'gm')),
      ([, count]) => Number(count),
    ).reduce((total, count) => total + count, 0)
  return {
    received: read('received_total'),
    exported: read('exported_total'),
    dropped: read('dropped_total'),
  }
}
