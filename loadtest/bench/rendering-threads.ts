import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { expectedPagePieces } from '../generator/expected-page.ts'
import { type RenderingCase, type RenderingCaseName, renderingCases } from './rendering-cases.ts'

/** Number of pages that are under way at once. */
const WINDOW = 8
const WARMUP_MS = 500

interface ThreadData {
  readonly role: 'send' | 'render' | 'receive'
  readonly name: RenderingCaseName
  readonly durationMs: number
}

const roles = { send: runSender, render: runRenderer, receive: runReceiver } as const

/**
 * Takes one sample of a case with three threads: one hands over rendered pages, one sends them over a socket, and one
 * receives them.
 * @returns microseconds of the sender's CPU time a page
 */
export async function measureCase(name: RenderingCaseName, durationMs: number): Promise<number> {
  const sender = startThread({ role: 'send', name, durationMs })
  const [micros] = await once(sender, 'message')
  await sender.terminate()
  return micros
}

const startThread = (data: ThreadData) => new Worker(new URL(import.meta.url), { workerData: data })

async function runSender(data: ThreadData): Promise<void> {
  const receiver = startThread({ ...data, role: 'receive' })
  const [port] = await once(receiver, 'message')
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const renderer = startThread({ ...data, role: 'render' })
  const { send } = renderingCases[data.name] as RenderingCase
  let pages = 0
  renderer.on('message', packed => {
    socket.cork()
    send(socket, packed as never)
    whenTaken(socket, () => {
      pages++
      renderer.postMessage('next')
    })
    process.nextTick(() => socket.uncork())
  })
  for (let page = 0; page < WINDOW; page++) renderer.postMessage('next')
  await delay(WARMUP_MS)
  const [pagesBefore, before] = [pages, process.threadCpuUsage()]
  await delay(data.durationMs)
  const { user, system } = process.threadCpuUsage(before)
  parentPort?.postMessage((user + system) / (pages - pagesBefore))
}

/** Backpressure of the sender: it requests another page only when it can send it. */
function whenTaken(socket: Socket, then: () => void): void {
  if (socket.writableNeedDrain) socket.once('drain', then)
  else then()
}

function runRenderer({ name }: ThreadData): void {
  const { pack } = renderingCases[name] as RenderingCase
  const pieces = expectedPagePieces(1)
  parentPort?.on('message', () => {
    const { packed, transfer = [] } = pack(pieces)
    parentPort?.postMessage(packed, transfer)
  })
}

function runReceiver(): void {
  const server = createServer(socket => socket.resume())
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
}

if (!isMainThread) {
  const data = workerData as ThreadData
  await roles[data.role](data)
}
