import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultName } from '../../app/server/faults/switches.ts'
import { faultHeaders } from '../../app/server/faults/token.ts'
import type { Usage } from '../../app/server/usage.ts'
import type { Counts, Signal, SignalCounts } from '../../lib/processes/protocol.ts'
import type { RunningProcess } from '../../lib/processes/start-process.ts'
import { bytesToMiB } from '../../lib/units.ts'
import type { StackOptions } from '../../stack/stack-options.ts'
import { launchCommand } from '../run-command.ts'
import { logPlaces, memberOf, placeFlags, type Stack, startStack } from '../stack-parts.ts'
import { codeOf, count, until } from './fault.ts'
import { step } from './protocol.ts'

export const LINES_PER_REQUEST = 10
/**
 * Options of an app whose faults are not about overload. On a slow machine it lets requests wait, and does not refuse them
 * with 503.
 */
export const patient = { maxWaitMs: 10_000 }
/** The pause of a client between two requests if the fault needs answers all the time, and not the CPU time of all cores. */
export const PAUSE_MS = 20

interface LoadOptions extends Partial<StackOptions> {
  /** What the clients ask for; by default a request that logs ten lines. */
  readonly path?: string
  readonly clients?: number
  readonly pauseMs?: number
}

interface Exceptions {
  /** Processes were killed, so that some counts are lost. */
  readonly isKilled?: boolean
  /** Something may still wait on the disk. */
  readonly isOpen?: boolean
}

/** Starts the stack of this fault's step, with its log in a directory. */
export const startLoggingStack = (directory: string, options: Partial<StackOptions> = {}): Promise<Stack> =>
  startStack({
    composition: step.composition,
    ...options,
    app: { ...logPlaces(directory), ...patient, ...options.app },
    loggerTransport: { keptFiles: 1000, ...options.loggerTransport },
  })

/** Runs `npm start` at the step of this fault in a process of its own, with its files in a directory. */
export const launchStack = (directory: string, env: NodeJS.ProcessEnv = {}) =>
  launchCommand('stack/main.ts', [...placeFlags(directory), `--step=${step.name}`], { env })

/** Starts a stack in this process, under a closed loop of requests. */
export async function startLoaded(directory: string, options: LoadOptions = {}) {
  const { path = `/log?count=${LINES_PER_REQUEST}`, clients = 8, pauseMs = 0, ...stackOptions } = options
  const stack = await startLoggingStack(directory, stackOptions)
  const requests = startRequests(stack.address('app') + path, clients, pauseMs)
  return {
    stack,
    requests,
    member: (name: string) => memberOf(stack, name),
    /**
     * Stops clients and stack.
     * @throws if a request failed, a process died or a ledger is open
     * @returns what was served, emitted, delivered and dropped, also in words
     */
    async finish({ isKilled = false, isOpen = false }: Exceptions = {}) {
      const { good, failures } = await requests.stop()
      const deaths = stack.processes.filter(({ restarts }) => restarts > 0).map(({ name }) => name)
      const startedAtMs = performance.now()
      const counts = (await stack.stop()) as Record<Signal, SignalCounts>
      const stopMs = performance.now() - startedAtMs
      assert.deepEqual(failures, {}, 'requests failed')
      if (!isKilled) assert.deepEqual(deaths, [], 'processes died')
      if (!isKilled && !isOpen) assertClosed(counts)
      const { logLines, spans } = counts
      const says = `${good} requests, none failed; ${describe('lines', logLines)}, ${describe('spans', spans)}`
      return { good, logLines, spans, stopMs, says }
    },
  }
}

const describe = (what: string, { emitted, dropped }: SignalCounts) =>
  `${emitted} ${what}${dropped > 0 ? `, of which ${dropped} were dropped and counted` : ''}`

export function assertClosed(counts: Counts): void {
  for (const [signal, { emitted = 0, delivered = 0, dropped = 0, rejected = 0 }] of Object.entries(counts))
    assert.equal(
      delivered + dropped + rejected,
      emitted,
      `the ledger of ${signal} is open: ${JSON.stringify(counts)}`,
    )
}

/**
 * Runs clients in a closed loop until `stop` is called. `stop` answers how many requests succeeded, how many failed, and
 * how many failures there were of each kind.
 */
export function startRequests(url: string, clients = 8, pauseMs = 0) {
  let stopped = false
  let good = 0
  const failures: Record<string, number> = {}
  const loops = Array.from({ length: clients }, async () => {
    while (!stopped) {
      try {
        const response = await fetch(url)
        await response.arrayBuffer()
        if (response.ok) good++
        else count(failures, String(response.status))
        if (pauseMs > 0) await delay(pauseMs)
      } catch (error) {
        count(failures, codeOf(error))
        // The server may be gone. Without a pause this would be a busy loop.
        await delay(10)
      }
    }
  })
  return {
    good: () => good,
    failures: failures as Readonly<Record<string, number>>,
    /** Resolves after this number of further good answers. */
    answered(more: number) {
      const before = good
      return until(() => good >= before + more)
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
      return { good, failures }
    },
  }
}

/** Begins (POST) or ends (DELETE) a fault by its switch. @returns the answer of the app */
export const switchFault = (stack: Stack, method: 'POST' | 'DELETE', fault: FaultName, time = '10m') =>
  fetch(`${stack.address('app', 'admin')}/faults/${fault}?for=${time}`, { method, headers: faultHeaders() })

/** Resident memory of a process in MiB. */
export async function residentMiB(stack: Stack, name = 'app'): Promise<number> {
  const response = await fetch(`${stack.address(name, name === 'app' ? 'admin' : 'http')}/usage`)
  const usage = (await response.json()) as { residentBytes: number } & Partial<Pick<Usage, 'total'>>
  return bytesToMiB((usage.total ?? usage).residentBytes)
}

/** Such as `+12 MiB`. */
export const signedMiB = (grown: number): string => `${grown < 0 ? '' : '+'}${grown.toFixed(0)} MiB`

/** What a process has counted of a signal until now. */
export async function readCounts(url: string, signal: Signal = 'logLines'): Promise<SignalCounts> {
  const counts = ((await (await fetch(`${url}/counts`)).json()) as Counts)[signal]
  return { emitted: 0, delivered: 0, dropped: 0, rejected: 0, ...counts }
}

/** Reads how many lines the app has emitted, and how many logger-transport has delivered. */
export async function readLedger(stack: Stack): Promise<{ emitted: number; delivered: number }> {
  const urls = [stack.address('app', 'admin'), stack.address('logger-transport')] as const
  const [{ emitted }, { delivered }] = await Promise.all([readCounts(urls[0]), readCounts(urls[1])])
  return { emitted, delivered }
}

/** Resolves once the destination has all lines that the app emitted. */
export const untilDelivered = (stack: Stack): Promise<void> =>
  until(async () => {
    const { emitted, delivered } = await readLedger(stack)
    return emitted === delivered
  })

/** The sum of a metric that a process exposes, over all labels or those that contain a text. */
export async function readMetric(url: string | undefined, name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const samples = text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'))
  return Array.from(samples).reduce(
    (sum, [, labels = '', value]) => (labels.includes(label) ? sum + Number(value) : sum),
    0,
  )
}

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
