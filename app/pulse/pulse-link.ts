import { connect, type Socket } from 'node:net'
import { textFrame } from '../../apm-agent/frames.ts'
import type { Pulse } from '../../apm-agent/live/pulse.ts'

/** A connection to apm-agent that only pulses go over. While it does not read, or is not there, they are left out. */
export class PulseLink {
  readonly #path: string
  #socket: Socket | undefined

  /** @param path of apm-agent's Unix socket */
  constructor(path: string) {
    this.#path = path
  }

  /** Whether a pulse would be taken. Connects where there is no connection. */
  isReady(): boolean {
    this.#socket ??= this.#connect()
    return !this.#socket.connecting && !this.#socket.writableNeedDrain
  }

  send(pulse: Pulse): void {
    this.#socket?.write(textFrame('pulse', JSON.stringify(pulse)))
  }

  close(): void {
    this.#socket?.destroy()
  }

  #connect(): Socket {
    const socket = connect(this.#path).unref()
    // Why there is none, the link of the telemetry tells.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#socket = undefined
    })
    return socket.resume()
  }
}
