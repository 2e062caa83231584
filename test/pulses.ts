import type { Pulse } from '../apm-agent/live/pulse-protocol.ts'
import type { AppDescription } from '../screen/live-messages.ts'

export const describeTestApp = (changes: Partial<AppDescription> = {}): AppDescription => ({
  instance: 'one',
  place: null,
  startedAtMs: Date.now() + 1000,
  step: 1,
  name: 'compute',
  composition: { compute: 'somewhere', logging: 'here' },
  ladder: ['0 monolith', '1 compute'],
  ...changes,
})

/** The pulse with the number `count`, of an app that does the same work in each half second. */
export function pulseOf(count: number, app: AppDescription = describeTestApp()): Pulse {
  return {
    app,
    atMs: 500 * count,
    requests: { good: 100 * count, bad: 2 * count },
    latencies: [
      [10, 50],
      [20, 49],
      [30, 1],
    ],
    loop: { activeMs: 100 * count, idleMs: 400 * count },
    delayMs: { p99: count, max: 2 * count },
    gc: { count: 5 * count, pausedMs: 10 * count },
    threads: [
      { name: 'main', cpuMicros: 50_000 * count },
      { name: 'compute 1', cpuMicros: 500_000 * count },
    ],
    pools: [
      {
        name: 'compute',
        size: 2,
        queueLength: 7,
        tasks: 200 * count,
        waitMs: 400 * count,
        runMs: 500 * count,
      },
    ],
    emitted: { logLines: 1000 * count, spans: 400 * count, metricPoints: 10 * count },
    droppedLines: count,
    faults: [],
  }
}
