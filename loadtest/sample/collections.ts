import { connectInspector, type Inspector } from '../../lib/inspector/inspector.ts'
import { ExactLatencies } from '../generator/latencies.ts'
import { INSPECTED, type Probe } from './probe.ts'
import type { Collections } from './sample.ts'

/** Records the garbage collections of the main thread while the window is open. */
export function watchCollections() {
  let inspector: Inspector | undefined
  let openedAtMs: number
  let windowMs: number
  let pausesMs: readonly number[] = []
  const evaluate = <T>(expression: string) => inspector?.threads[0]?.evaluate<T>(expression) as Promise<T>
  const probe: Probe = {
    appNodeFlags: INSPECTED,
    async attach(stack) {
      inspector = await connectInspector(stack.address('app', 'inspector'))
    },
    async opened() {
      await evaluate(`(${observe})()`)
      openedAtMs = performance.now()
    },
    async closed() {
      windowMs = performance.now() - openedAtMs
      pausesMs = await evaluate<number[]>('globalThis.stopObservingCollections()')
    },
    detach: () => inspector?.close(),
  }
  return { probe, read: () => toCollections(pausesMs, windowMs) }
}

function toCollections(pausesMs: readonly number[], windowMs: number): Collections {
  const pauses = new ExactLatencies()
  for (const pauseMs of pausesMs) pauses.record(pauseMs)
  return {
    perSecond: (pausesMs.length / windowMs) * 1000,
    pauseMs: pauses.summary(),
    share: pausesMs.reduce((sum, pauseMs) => sum + pauseMs, 0) / windowMs,
  }
}

/** This function is sent to the app as text, so it can use nothing else from this file. */
function observe(): void {
  const { PerformanceObserver } = process.getBuiltinModule('node:perf_hooks')
  const pausesMs: number[] = []
  const observer = new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) pausesMs.push(duration)
  })
  observer.observe({ entryTypes: ['gc'] })
  Object.assign(globalThis, {
    stopObservingCollections() {
      for (const { duration } of observer.takeRecords()) pausesMs.push(duration)
      observer.disconnect()
      return pausesMs
    },
  })
}
