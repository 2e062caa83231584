import { Worker } from 'node:worker_threads'
import { monotonicMs } from '../../../lib/units.ts'
import { ExactLatencies } from '../../generator/latencies.ts'
import type { Latency } from '../../generator/protocol.ts'

export type PingMessage =
  | { readonly kind: 'ping'; readonly sentAtMs: number }
  /** Tells that this is the last message of a window. */
  | { readonly kind: 'done' }

/**
 * Neighbours are other work for the main thread while it runs tasks: messages from a thread with a clock of its own,
 * about one a millisecond. Timers would not be suitable, because they run on the main thread's own clock of whole
 * milliseconds.
 */
export function startNeighbours() {
  const thread = new Worker(new URL('./pinger.ts', import.meta.url))
  return {
    /** @returns how long the pings of a window waited for the main thread */
    measureDelay(durationMs: number): Promise<Latency> {
      const delays = new ExactLatencies()
      const { promise, resolve, reject } = Promise.withResolvers<Latency>()
      thread.once('error', reject)
      thread.on('message', (message: PingMessage) => {
        if (message.kind === 'ping') delays.record(monotonicMs() - message.sentAtMs)
        else resolve(delays.summary())
      })
      thread.postMessage(durationMs)
      return promise
    },
    stop: () => thread.terminate(),
  }
}
