import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { readWakeups } from '../../lib/wakeups.ts'
import { type Way, ways } from './hop-ways.ts'

/** Jobs under way at saturation. */
export const WINDOW = 32
/** Jobs a second at a steady rate. */
export const RATE = 300
const WARMUP_MS = 500
/** Time that a sample takes besides its measured time. */
export const OVERHEAD_MS = WARMUP_MS + 150

/** Bytes of the query of a job. */
const QUERY = 'q'.repeat(100)

export const loads = ['saturated', 'steady'] as const

export interface HopCase {
  readonly way: Way
  readonly sizeBytes: number
  readonly load: (typeof loads)[number]
}

/** The cost of a job on the thread that hands it over. */
export interface HopCost {
  readonly cpuMicros: number
  /** NaN when the system does not count them. */
  readonly wakeups: number
}

/** Takes one sample of a case. The thread that stands for the main thread, and the one that answers, are fresh. */
export async function measureHop(hop: HopCase, durationMs: number): Promise<HopCost> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...hop, durationMs } })
  const [cost] = await once(worker, 'message')
  await worker.terminate()
  return cost
}

async function takeSample({ way, sizeBytes, load, durationMs }: HopCase & { durationMs: number }) {
  let replies = 0
  let bytesTaken = 0
  let onReply = () => {}
  const hop = await ways[way](sizeBytes, (_id, bytes) => {
    replies++
    bytesTaken += bytes.length
    onReply()
  })
  let id = 0
  const send = () => hop.send({ id: ++id, query: QUERY })
  if (load === 'steady') setInterval(send, 1000 / RATE)
  else if (load === 'saturated') {
    // One turn of the event loop for each round of replies, as sockets would have it.
    let answered = 0
    const sendAgain = () => {
      const count = answered
      answered = 0
      for (let job = 0; job < count; job++) send()
    }
    onReply = () => {
      if (answered++ === 0) setImmediate(sendAgain)
    }
    for (let job = 0; job < WINDOW; job++) send()
  }
  await delay(WARMUP_MS)
  const before = { replies, cpu: process.threadCpuUsage(), wakeups: readWakeups() ?? Number.NaN }
  await delay(durationMs)
  const { user, system } = process.threadCpuUsage(before.cpu)
  const jobs = replies - before.replies
  if (bytesTaken !== replies * sizeBytes) throw new Error(`${way} lost bytes: ${bytesTaken} came`)
  parentPort?.postMessage({
    cpuMicros: (user + system) / jobs,
    wakeups: ((readWakeups() ?? Number.NaN) - before.wakeups) / jobs,
  } satisfies HopCost)
}

if (!isMainThread && workerData?.way !== undefined) await takeSample(workerData)
