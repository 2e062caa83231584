import { connect, type Socket } from 'node:net'
import { textFrame } from '../../../apm-agent/frames.ts'
import type { Pulse } from '../../../apm-agent/live/pulse-protocol.ts'

/** A connection to apm-agent for pulses only. While apm-agent does not read or is not running, pulses are skipped. */
export class PulseLink {
  readonly #path: string
  #socket: Socket | undefined

  /** @param path the Unix socket of apm-agent */
  constructor(path: string) {
    this.#path = path
  }

  /** Whether a pulse could be sent now. Begins to connect if there is no connection. */
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
    // The connection of the telemetry reports why apm-agent is unreachable, so nothing is reported here.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#socket = undefined
    })
    return socket.resume()
  }
}
