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

/**
 * Receives the setup of this thread. It has to be called before other modules are loaded. A message that cannot be read
 * ends the thread, so that its pool learns that it is lost.
 */
export function receiveSetup<Data>(): Promise<ThreadSetup<Data>> {
  return new Promise(resolve =>
    parentPort?.once('message', (setup: ThreadSetup<Data>) => {
      setup.port.on('messageerror', error => {
        throw error
      })
      resolve(setup)
    }),
  )
}
