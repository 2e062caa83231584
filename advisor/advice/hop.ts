import { Worker } from 'node:worker_threads'

/** Cost of a round trip to a worker thread, in CPU microseconds. */
export type Hop = Awaited<ReturnType<typeof measureHop>>

/** Such as a small object of JSON. */
const MESSAGE_BYTES = 4096
const WARMUP_MS = 200
const DURATION_MS = 600
/** Number of messages that are under way at once. */
const UNDER_WAY = 16

const ECHO = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', text => parentPort.postMessage(text))`

/** Measures on this machine the cost of sending a text of {@link MESSAGE_BYTES} to a worker thread and receiving it back. */
export async function measureHop() {
  const worker = new Worker(ECHO, { eval: true })
  try {
    await exchange(worker, WARMUP_MS)
    const before = process.cpuUsage()
    const loop = performance.eventLoopUtilization()
    const roundTrips = await exchange(worker, DURATION_MS)
    const { user, system } = process.cpuUsage(before)
    const { active } = performance.eventLoopUtilization(loop)
    const totalMicros = (user + system) / roundTrips
    return {
      messageBytes: MESSAGE_BYTES,
      // A loop that has not been seen at work tells nothing.
      mainThreadMicros: active > 0 ? Math.min((active * 1000) / roundTrips, totalMicros) : totalMicros,
      /** Main thread and worker together. */
      totalMicros,
    }
  } finally {
    await worker.terminate()
  }
}

/** Sends each message again when it comes back, until the time is up and all are back. */
function exchange(worker: Worker, durationMs: number): Promise<number> {
  const message = 'x'.repeat(MESSAGE_BYTES)
  const startedAtMs = performance.now()
  let roundTrips = 0
  let underWay = UNDER_WAY
  return new Promise((resolve, reject) => {
    worker.removeAllListeners('message')
    worker.once('error', reject)
    worker.on('message', () => {
      roundTrips++
      if (performance.now() - startedAtMs < durationMs) worker.postMessage(message)
      else if (--underWay === 0) resolve(roundTrips)
    })
    for (let index = 0; index < UNDER_WAY; index++) worker.postMessage(message)
  })
}
