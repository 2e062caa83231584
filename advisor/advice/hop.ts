import { Worker } from 'node:worker_threads'

/** Cost of a round trip to a worker thread, in CPU microseconds. */
export type Hop = Awaited<ReturnType<typeof measureHop>>

/** Such as a small object of JSON. */
const MESSAGE_BYTES = 4096
const WARMUP_MS = 200
const DURATION_MS = 600
/** Number of messages that are under way at once: where each one wakes the thread, a round trip costs several times as much. */
const [TOGETHER, ALONE] = [16, 1]

const ECHO = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', text => parentPort.postMessage(text))`

/** Measures on this machine the cost of sending a text of {@link MESSAGE_BYTES} to a worker thread and receiving it back. */
export async function measureHop() {
  const worker = new Worker(ECHO, { eval: true })
  try {
    await exchange(worker, WARMUP_MS, TOGETHER)
    const together = await exchange(worker, DURATION_MS, TOGETHER)
    const alone = await exchange(worker, DURATION_MS, ALONE)
    return {
      messageBytes: MESSAGE_BYTES,
      mainThreadMicros: Math.min(together.mainThreadMicros, alone.mainThreadMicros),
      /** The same for a message that is under way alone. */
      aloneMicros: Math.max(together.mainThreadMicros, alone.mainThreadMicros),
      /** Main thread and worker together. */
      totalMicros: together.totalMicros,
    }
  } finally {
    await worker.terminate()
  }
}

/** @returns what a round trip costs, in microseconds */
async function exchange(worker: Worker, durationMs: number, underWay: number) {
  const read = () =>
    [(process.threadCpuUsage ?? process.cpuUsage)(), process.cpuUsage()].map(
      ({ user, system }) => user + system,
    )
  const before = read()
  const roundTrips = await sendAgainAndAgain(worker, durationMs, underWay)
  const [mainThreadMicros = 0, totalMicros = 0] = read().map(
    (after, index) => (after - (before[index] as number)) / roundTrips,
  )
  return { mainThreadMicros, totalMicros }
}

/** Sends each message again when it comes back, until the time is up and all are back. */
function sendAgainAndAgain(worker: Worker, durationMs: number, underWay: number): Promise<number> {
  const message = 'x'.repeat(MESSAGE_BYTES)
  const startedAtMs = performance.now()
  let roundTrips = 0
  let left = underWay
  return new Promise((resolve, reject) => {
    worker.removeAllListeners('message')
    worker.once('error', reject)
    worker.on('message', () => {
      roundTrips++
      if (performance.now() - startedAtMs < durationMs) worker.postMessage(message)
      else if (--left === 0) resolve(roundTrips)
    })
    for (let index = 0; index < underWay; index++) worker.postMessage(message)
  })
}
