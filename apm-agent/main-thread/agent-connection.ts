import { connect, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { type Frame, FrameReader, textOf } from '../frames.ts'
import { frameKinds } from '../protocol.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
const MAX_ANSWER_BYTES = 4096
const MAX_PATH_BYTES = 103

/** What the owner of a connection is told. */
interface ConnectionEvents {
  /** There is a connection, over which nothing was written yet. */
  onOpen(): void
  onAnswer(frame: Frame): void
  onClose(): void
  /** apm-agent is absent for longer than it takes to start, or refuses the connection. */
  onAbsent(reason: string): void
}

/** A connection to apm-agent's Unix socket, which is made again whenever it ends. It never fails. */
export class AgentConnection {
  readonly #path: string
  readonly #events: ConnectionEvents
  #socket: Socket | undefined
  #pauseMs = FIRST_PAUSE_MS
  #retry: NodeJS.Timeout | undefined
  #holdsProcess = false

  constructor(path: string, events: ConnectionEvents) {
    // A service may change its directory later. The kernel takes no longer path than this one.
    const absolute = resolve(path)
    this.#path = Buffer.byteLength(absolute) <= MAX_PATH_BYTES ? absolute : path
    this.#events = events
    this.#connect()
  }

  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.connecting
  }

  /** Writes to the present connection. */
  write(bytes: Uint8Array): void {
    this.#socket?.write(bytes)
  }

  /** Whether the connection keeps the process alive. */
  holdProcess(holds: boolean): void {
    this.#holdsProcess = holds
    this.#socket?.[holds ? 'ref' : 'unref']()
    this.#retry?.[holds ? 'ref' : 'unref']()
  }

  close(): void {
    clearTimeout(this.#retry)
    const socket = this.#socket
    this.#socket = undefined
    socket?.destroy()
  }

  #connect(): void {
    const reader = new FrameReader(MAX_ANSWER_BYTES)
    const socket = connect(this.#path)
    if (!this.#holdsProcess) socket.unref()
    let reason = 'it closed the connection'
    this.#socket = socket
    socket.on('connect', () => this.#events.onOpen())
    socket.on('data', chunk => {
      try {
        reader.read(chunk as Buffer, frame => {
          if (frame.kind === frameKinds.refused) reason = textOf(frame)
          else this.#takeAnswer(frame)
        })
      } catch (error) {
        reason = (error as Error).message
        socket.destroy()
      }
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code ?? error.message
    })
    socket.on('close', () => this.#reconnect(socket, reason))
  }

  #takeAnswer(frame: Frame): void {
    this.#pauseMs = FIRST_PAUSE_MS
    this.#events.onAnswer(frame)
  }

  #reconnect(socket: Socket, reason: string): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    this.#events.onClose()
    if (this.#pauseMs === LONGEST_PAUSE_MS) this.#events.onAbsent(reason)
    this.#retry = setTimeout(() => this.#connect(), this.#pauseMs)
    if (!this.#holdsProcess) this.#retry.unref()
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }
}
