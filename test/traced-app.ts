import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, Server } from 'node:http'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Composition, forEachConcern, type Implementation, namesOf } from '../app/concerns.ts'
import type { AppConfig } from '../app/config.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import { listen } from '../lib/http/listen.ts'
import type { Counts } from '../lib/processes/protocol.ts'
import { startProcess } from '../lib/processes/start-process.ts'
import { createOrdersServer } from '../orders/server.ts'
import { startOtlpReceiver } from './otlp-receiver.ts'
import { logPlaces } from './stack-parts.ts'
import { temporaryDirectory } from './temporary-directory.ts'

interface TracedAppOptions extends Partial<AppConfig> {
  readonly composition?: Partial<Composition>
  /** Variables of OpenTelemetry. They name the receiver, and no option does. */
  readonly otel?: Readonly<Record<string, string>>
}

/** OpenTelemetry's exporters try for one second to reach a receiver that is away. The default is ten seconds. */
const impatient = { OTEL_EXPORTER_OTLP_TIMEOUT: '1000' }

/** The first implementation of every concern: on main none starts a thread, so an app starts faster where no thread matters. */
export const first = forEachConcern<string | undefined>(concern => namesOf(concern)[0]) as Composition

/** A new space of 1 MiB: every run collects garbage, so every run measures a collection. */
const nodeFlags = ['--max-semi-space-size=1']

/**
 * Starts the app in its own process, because instrumentation affects a whole process, with the test's upstream. A receiver
 * in the test gets all telemetry, either from the app itself or from apm-agent. Each pool has one thread, which starts faster
 * than several.
 */
export async function startTracedApp(
  t: TestContext,
  apm: Implementation<'apm'>,
  orders: Server,
  { composition, otel, ...options }: TracedAppOptions = {},
) {
  const directory = temporaryDirectory(t)
  const ordersUrl = await listen(orders, '127.0.0.1', 0)
  t.after(() => orders.close())
  const { url, spans, metrics, resources, requests } = await startOtlpReceiver(t)
  const otlpUrl = otel ? undefined : url
  const fromUser = otel && { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...otel }
  const apmSocket = join(directory, 'apm-agent.sock')
  const start = async (name: string, values: Readonly<Record<string, unknown>>) => {
    const file = join(import.meta.dirname, '..', name, 'main.ts')
    const flags = toFlags({ port: 0, ...values })
    const started = await startProcess({
      name,
      file,
      flags,
      nodeFlags,
      echo: true,
      env: { ...process.env, ...impatient, ...fromUser },
    })
    t.after(() => started.stop())
    return started
  }
  // The others need a receiver of OTLP only.
  const agent = apm === 'sidecar' ? await start('apm-agent', { apmSocket, collectorUrl: otlpUrl }) : undefined
  const app = await start('app', {
    adminPort: 0,
    threads: 1,
    ordersUrl,
    otlpUrl,
    apmSocket,
    ...logPlaces(directory),
    ...composition,
    apm,
    ...options,
  })
  return {
    pid: app.pid,
    url: app.addresses.http as string,
    readCounts: async () => (await (await fetch(`${app.addresses.admin}/counts`)).json()) as Counts,
    ask: async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(app.addresses.http + path, { headers })
      await response.arrayBuffer()
      return response.status
    },
    stop: () => app.stop(),
    /** Stops the app. @returns its counts, the telemetry that the receiver got, and the log lines */
    finish: async () => {
      const counts = await app.stop()
      await agent?.stop()
      const lines = readLogLines(directory)
      return { counts, spans, metrics: [...metrics.values()].flat(), lines, resources, requests }
    },
  }
}

/** The log lines below a directory, whether they are in the log file or in segments. */
const readLogLines = (directory: string): Record<string, unknown>[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => /app\.log$|\.ndjson$/.test(name))
    .flatMap(name => readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1))
    .map(line => JSON.parse(line))

/** Starts the app as above, with the ordinary upstream unless another is given, and keeps the headers of upstream calls. */
export async function startAppWithOrders(
  t: TestContext,
  apm: Implementation<'apm'>,
  { orders = createOrdersServer({ latencyMs: 0 }), ...options }: TracedAppOptions & { orders?: Server } = {},
) {
  const received: IncomingHttpHeaders[] = []
  orders.on('request', ({ headers }) => received.push(headers))
  const app = await startTracedApp(t, apm, orders, options)
  return {
    stop: app.stop,
    /** @returns the status, and the headers of the upstream calls that were made meanwhile */
    ask: async (path: string, headers: Record<string, string> = {}) => {
      const before = received.length
      const status = await app.ask(path, headers)
      return { status, upstreamHeaders: received.slice(before) }
    },
    finish: async () => {
      const { counts, ...received } = await app.finish()
      assert.deepEqual(counts.spans, { emitted: received.spans.length, dropped: 0 })
      const metricNames = new Set(received.metrics.map(({ descriptor }) => descriptor.name))
      return { ...received, metricNames }
    },
  }
}
