import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Usage } from '../app/usage.ts'
import type { ProcessUsage } from '../lib/process-usage.ts'
import { startClosedLoop } from './closed-loop.ts'
import { LoadWindow } from './load-window.ts'
import type { LoadOrder, Measurement, Sidecar } from './protocol.ts'

const READING_LIMIT_MS = 30_000

/**
 * Keeps the load on through warm-up and window, so that the window begins and ends in the middle of it: what it
 * costs and what it answers then belong together.
 */
export async function measure(order: LoadOrder): Promise<Measurement> {
  const window = new LoadWindow()
  const stop = startClosedLoop(order, window)
  try {
    await delay(order.warmupMs)
    const before = await readUsages(order)
    const generatorBefore = performance.eventLoopUtilization()
    window.open()
    await delay(order.durationMs)
    const after = await readUsages(order)
    window.close()
    const { utilization } = performance.eventLoopUtilization(generatorBefore)
    return summarize(window, before, after, utilization)
  } finally {
    await stop()
  }
}

type Usages = Awaited<ReturnType<typeof readUsages>>

async function readUsages({ usageUrls: { app, ...others } }: LoadOrder) {
  const sidecarMicros = async (sidecar: Sidecar) => {
    const url = others[sidecar]
    return url ? (await readJson<ProcessUsage>(url)).cpuMicros : 0
  }
  const [appUsage, loggerTransport, apmAgent] = await Promise.all([
    readJson<Usage>(app),
    sidecarMicros('loggerTransport'),
    sidecarMicros('apmAgent'),
  ])
  return { app: appUsage, sidecarMicros: { loggerTransport, apmAgent } }
}

async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(READING_LIMIT_MS) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as T
}

function summarize(
  window: LoadWindow,
  before: Usages,
  after: Usages,
  generatorUtilization: number,
): Measurement {
  const activeMs = after.app.mainThread.activeMs - before.app.mainThread.activeMs
  const idleMs = after.app.mainThread.idleMs - before.app.mainThread.idleMs
  return {
    durationMs: after.app.atMs - before.app.atMs,
    responses: window.responses,
    errors: window.errors,
    wrongBodies: window.wrongBodies,
    mainThreadMicros: after.app.mainThread.cpuMicros - before.app.mainThread.cpuMicros,
    processMicros: {
      app: after.app.total.cpuMicros - before.app.total.cpuMicros,
      loggerTransport: after.sidecarMicros.loggerTransport - before.sidecarMicros.loggerTransport,
      apmAgent: after.sidecarMicros.apmAgent - before.sidecarMicros.apmAgent,
    },
    mainThreadUtilization: activeMs / (activeMs + idleMs),
    generatorUtilization,
    latencyMs: window.latency(),
    residentBytes: after.app.total.residentBytes,
  }
}
