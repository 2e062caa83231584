import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { patient } from '../../lib/main-thread/caller.ts'
import { JOBS_PER_MESSAGE, MESSAGES_PER_THREAD } from '../../lib/main-thread/thread-messages.ts'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import type { Job, Message, Reply, ThreadData } from './hop-protocol.ts'
import { createRingMemory, follow, notify, Ring, type RingMemory } from './hop-ring.ts'
import { createSocketPath, receiveReplies } from './hop-socket.ts'

/** Takes a reply on the main thread. Its bytes belong to the receiver. */
type Take = (id: number, bytes: Uint8Array) => void

/** The main thread's side of a way to hand jobs to a thread. */
interface Hop {
  send(job: Job): void
}

type CreateHop = (sizeBytes: number, take: Take) => Promise<Hop>

const THREAD = new URL('hop-thread.ts', import.meta.url)
const RING_BYTES = 2 ** 23

/** The ways to hand a job to a thread and take its reply. */
export const ways = {
  'no thread: the reply is there': async (sizeBytes, take) => {
    const bytes = new Uint8Array(sizeBytes)
    return { send: ({ id }) => take(id, bytes) }
  },

  'piscina, a job a message': async (sizeBytes, take) => {
    const pool = await startPiscina(sizeBytes)
    return {
      send(job) {
        void pool.run({ kind: 'jobs', jobs: [job] } satisfies Message).then(deliver(take))
      },
    }
  },

  'piscina behind our queue': async (sizeBytes, take) => {
    const pool = await startPiscina(sizeBytes)
    const queue = new WorkQueue<Job, Reply>({
      workers: 1,
      slots: MESSAGES_PER_THREAD,
      jobsPerMessage: JOBS_PER_MESSAGE,
      async dispatch(jobs) {
        return { kind: 'replies', replies: await pool.run({ kind: 'jobs', jobs } satisfies Message) }
      },
    })
    return {
      send(job) {
        void queue.run(patient, job).then(({ reply }) => take(reply.id, reply.bytes))
      },
    }
  },

  'a port, a job a message': async (sizeBytes, take) => {
    const thread = await startThread({ sizeBytes, transfers: false }, take)
    return { send: job => thread.postMessage({ kind: 'jobs', jobs: [job] } satisfies Message) }
  },

  'a port, batches': async (sizeBytes, take) =>
    inBatches(await startThread({ sizeBytes, transfers: false }, take)),

  'a port, batches, transferred': async (sizeBytes, take) =>
    inBatches(await startThread({ sizeBytes, transfers: true }, take)),

  'a port, batches, answered over a socket': async (sizeBytes, take) => {
    const socketPath = createSocketPath()
    const thread = await startThread({ sizeBytes, socketPath }, () => {})
    const accepted = once(thread, 'message')
    await receiveReplies(socketPath, take)
    await accepted
    return inBatches(thread)
  },

  'a ring, woken by a port': async (sizeBytes, take) => {
    const rings = createRings()
    const replies = new Ring(rings.replies)
    const thread = await startThread({ sizeBytes, rings, wakes: 'port' }, () =>
      replies.readAll((id, bytes) => take(id, Buffer.from(bytes))),
    )
    return intoRing(new Ring(rings.jobs), () => thread.postMessage({ kind: 'look' } satisfies Message))
  },

  'a ring, Atomics.waitAsync': async (sizeBytes, take) => {
    const rings = createRings()
    const [jobs, replies] = [new Ring(rings.jobs), new Ring(rings.replies)]
    await startThread({ sizeBytes, rings, wakes: 'atomics' }, () => {})
    void follow(replies, () => replies.readAll((id, bytes) => take(id, Buffer.from(bytes))))
    return intoRing(jobs, () => notify(jobs))
  },
} as const satisfies Record<string, CreateHop>

export type Way = keyof typeof ways

const deliver = (take: Take) => (replies: readonly Reply[]) => {
  for (const { id, bytes } of replies) take(id, bytes)
}

const createRings = (): { readonly jobs: RingMemory; readonly replies: RingMemory } => ({
  jobs: createRingMemory(RING_BYTES),
  replies: createRingMemory(RING_BYTES),
})

async function startPiscina(sizeBytes: number): Promise<Piscina> {
  const pool = new Piscina({
    filename: THREAD.pathname,
    name: 'answer',
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: MESSAGES_PER_THREAD,
    stricterFIFO: true,
    recordTiming: false,
    workerData: { sizeBytes, isPooled: true } satisfies ThreadData,
  })
  await pool.run({ kind: 'jobs', jobs: [] } satisfies Message)
  return pool
}

function startThread(data: ThreadData, take: Take): Promise<Worker> {
  const thread = new Worker(THREAD, { workerData: data })
  return new Promise(resolve => {
    thread.once('message', () => {
      thread.on('message', deliver(take))
      resolve(thread)
    })
  })
}

/** Sends all jobs of a turn of the event loop in one message. */
function inBatches(thread: Worker): Hop {
  let jobs: Job[] = []
  const flush = () => {
    thread.postMessage({ kind: 'jobs', jobs } satisfies Message)
    jobs = []
  }
  return {
    send(job) {
      if (jobs.push(job) === 1) process.nextTick(flush)
    },
  }
}

/** Writes jobs into a ring, and wakes the thread once for all jobs of a turn of the event loop. */
function intoRing(ring: Ring, wake: () => void): Hop {
  let isWaking = false
  const flush = () => {
    isWaking = false
    wake()
  }
  return {
    send({ id, query }) {
      const isWritten = ring.write(id, query.length, (bytes, at) => bytes.write(query, at, 'latin1'))
      if (!isWritten) throw new Error('the ring is full; it must hold all jobs under way')
      if (isWaking) return
      isWaking = true
      process.nextTick(flush)
    },
  }
}
