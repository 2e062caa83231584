import { writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { descriptorOf, type Frame, FrameReader, textOf } from '../frames.ts'
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
  #isEnding = false
  #put = (bytes: Uint8Array): unknown => this.#socket?.write(bytes)

  constructor(path: string, events: ConnectionEvents) {
    // A service may change its directory later. The kernel takes no longer path than this one.
    const absolute = resolve(path)
    this.#path = Buffer.byteLength(absolute) <= MAX_PATH_BYTES ? absolute : path
    this.#events = events
    this.#connect()
  }

  get isOpen(): boolean {
    return this.#socket !== undefined && (this.#isEnding || !this.#socket.connecting)
  }

  /** Writes to the present connection. */
  write(bytes: Uint8Array): void {
    this.#put(bytes)
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

  /**
   * From now on every write is made at once, because nothing runs later. A connection that was begun in this turn of the event
   * loop is made already, although its event is still to come: it is opened here.
   */
  endNow(): void {
    const fd = descriptorOf(this.#socket)
    if (!this.#socket?.connecting || fd < 0) return
    this.#isEnding = true
    this.#put = bytes => {
      // Bytes after a part of a frame would be taken for the rest of it.
      if (!writeAll(fd, bytes)) this.#put = () => {}
    }
    this.#events.onOpen()
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

/** Writes to a file descriptor that does not block. @returns whether the kernel took all bytes */
function writeAll(fd: number, bytes: Uint8Array): boolean {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    return true
  } catch {
    // The agent is absent, or reads more slowly than the process ends. Nobody is left who could be told.
    return false
  }
}
