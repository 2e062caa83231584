import type { MockTracker } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Connections } from './ask.ts'
import { expectedHello } from './expected.ts'

/** Replaces the clock: time passes only when the test says so. */
export function simulateTime(mock: MockTracker) {
  let nowMs = 0
  mock.timers.enable({ apis: ['setTimeout'] })
  mock.method(performance, 'now', () => nowMs)
  /** Time passes in one step, so that everything that was due meanwhile happens late, at its end. */
  const hang = async (ms: number) => {
    nowMs += ms
    mock.timers.tick(ms)
    await turn()
  }
  /** Time passes, and everything that is due happens in its millisecond. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed++) await hang(1)
  }
  return { hang, pass }
}

/**
 * Connections to a server that answers in simulated time.
 * @param delayAt the delay of an answer, by the time of its request
 */
export const simulateServer = (delayAt: (sentAtMs: number) => number): Connections => ({
  async get() {
    const delayMs = delayAt(performance.now())
    await new Promise<void>(resolve => setTimeout(resolve, delayMs))
    return { status: 200, headers: {}, body: expectedHello(), firstByteAtMs: performance.now() }
  },
  async destroy() {},
})
