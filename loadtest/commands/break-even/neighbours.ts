import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { drawExponential, seededRandom } from '../../../lib/random.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { Latencies } from '../../generator/latencies.ts'
import type { Latency } from '../../generator/protocol.ts'

/** When a ping was sent, or that the window is over. */
type PingMessage = number | 'done'

/**
 * Neighbours are other work for the main thread while it runs tasks: messages from a thread with a clock of its own, about one
 * a millisecond. Timers run on the main thread's own clock, of whole milliseconds.
 */
export function startNeighbours() {
  const thread = new Worker(new URL(import.meta.url))
  return {
    /** @returns how long the pings of a window waited for the main thread */
    measureDelay(durationMs: number): Promise<Latency> {
      const delays = new Latencies()
      const { promise, resolve, reject } = Promise.withResolvers<Latency>()
      thread.once('error', reject)
      thread.on('message', (message: PingMessage) => {
        if (message === 'done') resolve(delays.summary())
        else delays.record(monotonicMs() - message)
      })
      thread.postMessage(durationMs)
      return promise
    },
    stop: () => thread.terminate(),
  }
}

const MEAN_GAP_MS = 1
const SEED = 1

/** Sends pings as a Poisson process, without waiting for earlier pings. */
function ping(durationMs: number): void {
  const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const tell = (message: PingMessage) => parentPort?.postMessage(message)
  const random = seededRandom(SEED)
  const endsAtMs = monotonicMs() + durationMs
  while (monotonicMs() < endsAtMs) {
    Atomics.wait(never, 0, 0, drawExponential(random) * MEAN_GAP_MS)
    tell(monotonicMs())
  }
  tell('done')
}

if (!isMainThread) parentPort?.on('message', ping)
