import { type ChildProcess, fork, type SerializationType } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const FILE = join(import.meta.dirname, 'bare-echo.js')

export interface Parcel {
  readonly payload: unknown
  /** Whether the payload's memory is transferred instead of copied, both ways. */
  readonly transferred: boolean
}

/** A thread or a process that is ready, and sends every message back. */
export interface Bare {
  send(parcel: Parcel): void
  /** Sets the only listener; an earlier listener is removed. */
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
