import { parentPort } from 'node:worker_threads'
import { drawExponential, seededRandom } from '../../../lib/random.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { PingMessage } from './neighbours.ts'

const MEAN_GAP_MS = 1
const SEED = 1

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
const tell = (message: PingMessage) => parentPort?.postMessage(message)

/** Sends pings as a Poisson process, without waiting for earlier pings. */
parentPort?.on('message', (durationMs: number) => {
  const random = seededRandom(SEED)
  const endsAtMs = monotonicMs() + durationMs
  while (monotonicMs() < endsAtMs) {
    Atomics.wait(never, 0, 0, drawExponential(random) * MEAN_GAP_MS)
    tell({ kind: 'ping', sentAtMs: monotonicMs() })
  }
  tell({ kind: 'done' })
})
