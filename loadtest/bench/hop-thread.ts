import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Message, Reply, ThreadData } from './hop-protocol.ts'
import { follow, notify, Ring } from './hop-ring.ts'
import { acceptOne, sendReplies } from './hop-socket.ts'

const { sizeBytes, transfers = false, isPooled = false, rings, wakes, socketPath } = workerData as ThreadData
/** Bytes of replies. They must differ within a message, because a structured clone copies the same object once. */
const prepared = Array.from({ length: 64 }, () => new Uint8Array(sizeBytes).fill(120))
const bytesOf = (id: number) => prepared[id % prepared.length] as Uint8Array
const port = parentPort as MessagePort

/** The function that Piscina calls. */
export const answer = (message: Message): Reply[] =>
  message.kind === 'jobs' ? message.jobs.map(({ id }) => ({ id, bytes: bytesOf(id) })) : []

/** A copy in memory of its own, which can be transferred. */
const answerToTransfer = (message: Message): Reply[] =>
  answer(message).map(({ id, bytes }) => ({ id, bytes: new Uint8Array(bytes) }))

function serveMessages(): void {
  port.on('message', (message: Message) => {
    if (!transfers) return port.postMessage(answer(message))
    const replies = answerToTransfer(message)
    port.postMessage(
      replies,
      replies.map(reply => reply.bytes.buffer as ArrayBuffer),
    )
  })
  port.postMessage([])
}

function serveRings({ jobs: jobMemory, replies: replyMemory }: NonNullable<ThreadData['rings']>): void {
  const [jobs, replies] = [new Ring(jobMemory), new Ring(replyMemory)]
  const serve = () => {
    jobs.readAll(id => {
      const isWritten = replies.write(id, sizeBytes, (target, at) => target.set(bytesOf(id), at))
      if (!isWritten) throw new Error('the ring is full; it must hold all replies under way')
    })
    if (wakes === 'port') port.postMessage([{ id: 0, bytes: NOTHING }] satisfies Reply[])
    else notify(replies)
  }
  port.postMessage([])
  // The port also keeps this thread alive: a thread that only waits for shared memory ends.
  port.on('message', serve)
  if (wakes === 'atomics') void follow(jobs, serve)
}

async function serveSocket(path: string): Promise<void> {
  const socket = await acceptOne(path, () => port.postMessage([]))
  port.on('message', (message: Message) => sendReplies(socket, answer(message)))
  port.postMessage([])
}

const NOTHING = new Uint8Array(0)

if (rings) serveRings(rings)
else if (socketPath) await serveSocket(socketPath)
else if (!isPooled) serveMessages()
