import { createServer } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { listen } from '../../lib/http/listen.ts'
import { expectedHello } from './expected.ts'

/** A server on its own thread that answers after a known time, and once stalls for a known time. */
export interface Stalling {
  readonly delayMs: number
  /** The number of the request at which it stalls, from 1. */
  readonly stallsAt: number
  readonly stallMs: number
}

const { delayMs, stallsAt, stallMs } = workerData as Stalling
const usage = {
  atMs: 0,
  mainThread: { cpuMicros: 0, activeMs: 0, idleMs: 1, wakeups: null, allocatedBytes: null, collections: 0 },
  total: { cpuMicros: 0, residentBytes: 1 },
}
let requests = 0

const server = createServer((request, response) => {
  if (request.url === '/usage') return response.end(JSON.stringify({ ...usage, atMs: performance.now() }))
  if (++requests === stallsAt) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
  return setTimeout(() => response.end(expectedHello()), delayMs)
})
parentPort?.postMessage(await listen(server, '127.0.0.1', 0))
