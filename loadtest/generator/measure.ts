import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Usage } from '../../app/server/usage.ts'
import type { ProcessUsage } from '../../lib/os/usage.ts'
import { record } from '../../lib/record.ts'
import { startClosedLoop } from './closed-loop.ts'
import { LoadWindow } from './load-window.ts'
import { startOpenLoop } from './open-loop.ts'
import { type Latency, type LoadOrder, type Measurement, processNames, type WindowEvent } from './protocol.ts'
import { tellLive } from './tell-live.ts'

const READING_LIMIT_MS = 30_000

/**
 * Runs the load through warm-up and window, which begins and ends while the load goes on.
 * @param tell called before the window opens, when it has opened and when it has closed; its promise is awaited
 */
export async function measure(
  order: LoadOrder,
  tell: (event: WindowEvent) => Promise<void>,
): Promise<Measurement> {
  const window = new LoadWindow()
  const stopTelling = tellLive(order.liveUrl, window.meter)
  const { heatMs = 0 } = order
  let stop = async () => {}
  try {
    if (heatMs > 0) {
      const cool = startClosedLoop(order, window)
      await delay(heatMs)
      await cool()
    }
    const load = startLoad(order, window)
    stop = load.stop
    await delay(order.warmupMs - heatMs)
    await tell('opening')
    const before = await readUsages(order)
    const generatorBefore = performance.eventLoopUtilization()
    window.open()
    await tell('opened')
    await delay(order.durationMs)
    const after = await readUsages(order)
    window.close()
    const generator = performance.eventLoopUtilization(generatorBefore)
    await tell('closed')
    await stop()
    return toMeasurement(window, before, after, generator, load.latenessMs())
  } finally {
    stopTelling()
    await stop()
  }
}

function startLoad(order: LoadOrder, window: LoadWindow) {
  if (order.load.kind === 'closed')
    return { latenessMs: () => null, stop: once(startClosedLoop(order, window)) }
  const { lateness, stop } = startOpenLoop(order, order.load, window)
  return { latenessMs: () => lateness.summary(), stop: once(stop) }
}

function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined
  return () => {
    stopped ??= stop()
    return stopped
  }
}

type Usages = Awaited<ReturnType<typeof readUsages>>

async function readUsages({ usageUrls }: LoadOrder) {
  const microsOf = async (url: string | undefined) =>
    url === undefined ? 0 : (await readJson<ProcessUsage>(url)).cpuMicros
  const [app, loggerTransport, apmAgent] = await Promise.all([
    readJson<Usage>(usageUrls.app),
    microsOf(usageUrls.loggerTransport),
    microsOf(usageUrls.apmAgent),
  ])
  return { app, micros: { app: app.total.cpuMicros, loggerTransport, apmAgent } }
}

async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(READING_LIMIT_MS) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as T
}

function toMeasurement(
  window: LoadWindow,
  before: Usages,
  after: Usages,
  generator: EventLoopUtilization,
  latenessMs: Latency | null,
): Measurement {
  const [from, to] = [before.app.mainThread, after.app.mainThread]
  const [activeMs, idleMs] = [to.activeMs - from.activeMs, to.idleMs - from.idleMs]
  return {
    durationMs: after.app.atMs - before.app.atMs,
    responses: window.responses,
    inWindow: window.inWindow,
    errors: window.errors,
    wrongBodies: window.wrongBodies,
    mainThreadMicros: to.cpuMicros - from.cpuMicros,
    mainThreadWakeups: difference(to.wakeups, from.wakeups),
    mainThreadAllocatedBytes: difference(to.allocatedBytes, from.allocatedBytes),
    processMicros: record(processNames, name => after.micros[name] - before.micros[name]),
    mainThreadUtilization: activeMs / (activeMs + idleMs),
    generatorUtilization: generator.utilization,
    latencyMs: window.latencies.summary(),
    firstByteMs: window.firstBytes.summary(),
    latenessMs,
    restarts: after.app.restarts ?? 0,
  }
}

const difference = (after: number | null, before: number | null) =>
  after === null || before === null ? null : after - before
