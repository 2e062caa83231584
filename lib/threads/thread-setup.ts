import { type MessagePort, parentPort } from 'node:worker_threads'

/** What a thread of a pool gets as its first message. */
export interface ThreadSetup<Data> {
  readonly data: Data
  /**
   * The thread's own channel to its pool. `parentPort` and `workerData` belong to the code that the thread loads, so no
   * message of that code can be taken for one of the pool.
   */
  readonly port: MessagePort
}

/** The last message to a thread. It ends when its output is delivered; `terminate()` would lose what is on its way. */
export const END = 'end of the thread'

/**
 * Receives the setup of this thread. It has to be called before other modules are loaded. A message that cannot be read
 * ends the thread, so that its pool learns that it is lost.
 */
export function receiveSetup<Data>(): Promise<ThreadSetup<Data>> {
  return new Promise(resolve => {
    const port = parentPort as MessagePort
    port.on('message', message => {
      if (message === END) return void end()
      message.port.on('messageerror', fail)
      // From now on, its own channel keeps the thread alive.
      port.unref()
      resolve(message)
    })
  })
}

async function end(): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flush))
  process.exit()
}

const flush = (stream: NodeJS.WriteStream) => new Promise(resolve => stream.write('', resolve))

function fail(error: unknown): never {
  throw error
}

/** Shared memory with a number for each slot of a pool: the main thread reads what a thread writes, without a message. */
export type SlotMarks = Int32Array<SharedArrayBuffer>

export const createMarks = (slots: number): SlotMarks =>
  new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT))
