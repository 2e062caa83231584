import { PerformanceObserver } from 'node:perf_hooks'

let isObserving = false
let collections = 0

/**
 * Counts the garbage collections of the main thread since the first call: only an app that somebody measures pays for
 * the count.
 */
export function countCollections(): number {
  if (!isObserving) observe()
  return collections
}

function observe(): void {
  isObserving = true
  const observer = new PerformanceObserver(list => {
    collections += list.getEntries().length
  })
  observer.observe({ entryTypes: ['gc'] })
}
