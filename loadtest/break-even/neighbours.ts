import { Worker } from 'node:worker_threads'
import { monotonicMs } from '../../lib/units.ts'
import { ExactLatencies } from '../generator/latencies.ts'
import type { Latency } from '../generator/protocol.ts'

export type PingMessage =
  | { readonly kind: 'ping'; readonly sentAtMs: number }
  /** The last message of a window. */
  | { readonly kind: 'done' }

/**
 * What else comes for the main thread while tasks are asked for: messages of a thread that keeps its own time, about
 * one a millisecond. Timers would not do, for theirs is the main thread's clock, of whole milliseconds.
 */
export function startNeighbours() {
  const thread = new Worker(new URL('./pinger.ts', import.meta.url))
  return {
    /** @returns how long pings of so much time waited for the main thread */
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
