import { Worker } from 'node:worker_threads'

/** Cost of a round trip to a worker thread, in CPU microseconds. */
export type Hop = Awaited<ReturnType<typeof measureHop>>

const MESSAGE_BYTES = 4096
const WARMUP_MS = 200
const DURATION_MS = 600
/**
 * How many messages are under way at once, and how long the worker takes for each. A thread that has slept for a millisecond, until a
 * reply wakes it, finds its caches cold, and a round trip costs many times as much.
 */
const [TOGETHER, ALONE] = [
  { underWay: 16, workMs: 0 },
  { underWay: 1, workMs: 1 },
]

const ECHO = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', ({ text, workMs }) => { const end = performance.now() + workMs; while (performance.now() < end); parentPort.postMessage(text) })`

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
      /** The same for a message that is under way alone, and that the worker answers after a millisecond. */
      aloneMicros: Math.max(together.mainThreadMicros, alone.mainThreadMicros),
      /** Main thread and worker together. */
      totalMicros: together.totalMicros,
    }
  } finally {
    await worker.terminate()
  }
}

/** Sends each message again when it comes back, until the time is up and all are back. @returns what a round trip costs */
async function exchange(worker: Worker, durationMs: number, { underWay, workMs }: typeof TOGETHER) {
  const message = { text: 'x'.repeat(MESSAGE_BYTES), workMs }
  const clocks = [process.threadCpuUsage ?? process.cpuUsage, process.cpuUsage]
  const read = () => clocks.map(clock => clock()).map(({ user, system }) => user + system)
  const before = read()
  const startedAtMs = performance.now()
  let roundTrips = 0
  let left = underWay
  await new Promise<void>((resolve, reject) => {
    worker.removeAllListeners('message')
    worker.once('error', reject)
    worker.on('message', () => {
      roundTrips++
      if (performance.now() - startedAtMs < durationMs) worker.postMessage(message)
      else if (--left === 0) resolve()
    })
    for (let index = 0; index < underWay; index++) worker.postMessage(message)
  })
  const [mainThreadMicros = 0, totalMicros = 0] = read().map(
    (after, index) => (after - (before[index] as number)) / roundTrips,
  )
  return { mainThreadMicros, totalMicros }
}
