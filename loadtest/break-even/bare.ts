import { type ChildProcess, fork, type SerializationType } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const FILE = join(import.meta.dirname, 'bare-echo.js')

export interface Parcel {
  readonly payload: unknown
  /** Whether the payload's memory changes hands instead of being copied, both ways. */
  readonly transferred: boolean
}

/** A thread or a process that has said that it is up, and sends back what it is sent. */
export interface Bare {
  send(parcel: Parcel): void
  /** Whoever listened before does no longer. */
  onEcho(listen: (parcel: Parcel) => void): void
  stop(): Promise<unknown>
}

export async function startBareThread(): Promise<Bare> {
  const thread = new Worker(FILE)
  await once(thread, 'message')
  return {
    send: parcel =>
      thread.postMessage(
        parcel,
        parcel.transferred ? [(parcel.payload as Uint8Array<ArrayBuffer>).buffer] : [],
      ),
    onEcho: listen => thread.removeAllListeners('message').on('message', listen),
    stop: () => thread.terminate(),
  }
}

export async function startBareProcess(serialization: SerializationType): Promise<Bare> {
  const child: ChildProcess = fork(FILE, { serialization })
  await once(child, 'message')
  return {
    send: parcel => child.send(parcel),
    onEcho: listen => child.removeAllListeners('message').on('message', listen),
    async stop() {
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}
