import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const FILE = join(import.meta.dirname, 'bare-echo.js')

/** A thread or a process that is ready, and sends every message back. */
export interface Bare {
  send(payload: string): void
  /** Sets the only listener; an earlier listener is removed. */
  onEcho(listen: () => void): void
  stop(): Promise<unknown>
}

export async function startBareThread(): Promise<Bare> {
  const thread = new Worker(FILE)
  await once(thread, 'message')
  return {
    send: payload => thread.postMessage(payload),
    onEcho: listen => thread.removeAllListeners('message').on('message', listen),
    stop: () => thread.terminate(),
  }
}

export async function startBareProcess(): Promise<Bare> {
  const child: ChildProcess = fork(FILE)
  await once(child, 'message')
  return {
    send: payload => child.send(payload),
    onEcho: listen => child.removeAllListeners('message').on('message', listen),
    async stop() {
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}
