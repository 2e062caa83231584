import { PerformanceObserver } from 'node:perf_hooks'

let observer: PerformanceObserver | undefined
let collections = 0

/**
 * Counts the garbage collections of the main thread since the first call: only an app that somebody measures pays for
 * the count.
 */
export function countCollections(): number {
  observer ??= observe()
  return collections
}

function observe(): PerformanceObserver {
  const started = new PerformanceObserver(list => {
    collections += list.getEntries().length
  })
  started.observe({ entryTypes: ['gc'] })
  return started
}
