import { connect, type Socket } from 'node:net'
import { createComplaint } from '../../lib/complaint.ts'
import { runningDelay } from '../../lib/running-time.ts'
import { FrameReader, textFrame, textOf, writeHeader } from '../frames.ts'
import { frameKinds, type Hello, type MetricPoint, RECORD_BYTES } from '../protocol.ts'
import { BATCH_BYTES, Batch } from './batch.ts'
import type { Destination } from './recording.ts'
import type { Strings } from './strings.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
const STRINGS_PER_FRAME = 64
const POINTS_PER_FRAME = 256
const MAX_ANSWER_BYTES = 4096

/** A frame that apm-agent has not acknowledged. */
interface Unacked {
  readonly sequence: number
  readonly bytes: Uint8Array
  readonly spans: number
  readonly points: number
  /** The batch whose memory becomes free after the acknowledgement. */
  readonly batch?: Batch
}

interface AgentLinkOptions {
  /** Path of apm-agent's Unix socket. */
  readonly path: string
  readonly hello: Hello
  readonly strings: Strings
  /** The limit on the memory of unacknowledged frames. Further records are dropped. */
  readonly memoryBytes: number
  /** The time that `close` waits for the last acknowledgements, in milliseconds. */
  readonly closeLimitMs: number
}

/**
 * Sends batches to apm-agent. It never waits and never fails: while apm-agent is absent, dead or stopped,
 * unacknowledged frames stay in memory up to a limit and are sent again over the next connection; beyond the limit
 * records are dropped and counted.
 *
 *     take ─▶ Batch ─▶ send ─▶ #unacked ── socket ──▶ apm-agent
 *       ▲                          │
 *       └────────── #free ◀── ack ─┘
 */
export class AgentLink implements Destination {
  #emittedPoints = 0
  #droppedPoints = 0
  readonly #options: AgentLinkOptions
  readonly #complain = createComplaint()
  readonly #free: Batch[] = []
  readonly #unacked: Unacked[] = []
  #usedBytes = 0
  #sequence = 0
  /** Number of strings that were sent over this connection. */
  #sentStrings = 1
  #socket: Socket | undefined
  #pauseMs = FIRST_PAUSE_MS
  #retry: NodeJS.Timeout | undefined
  #onDrained: (() => void) | undefined

  constructor(options: AgentLinkOptions) {
    this.#options = options
    this.#connect()
  }

  get isIdle(): boolean {
    return this.#unacked.length === 0
  }

  counts() {
    const unacked = (key: 'spans' | 'points') => this.#unacked.reduce((total, each) => total + each[key], 0)
    return {
      droppedSpans: unacked('spans'),
      metricPoints: { emitted: this.#emittedPoints, dropped: this.#droppedPoints + unacked('points') },
    }
  }

  take(): Batch | undefined {
    const free = this.#free.pop()
    if (free) return free
    if (!this.#hasRoom(BATCH_BYTES)) return undefined
    this.#usedBytes += BATCH_BYTES
    return new Batch()
  }

  send(batch: Batch): void {
    const sequence = ++this.#sequence
    writeHeader(batch.memory, 'records', batch.records * RECORD_BYTES, sequence)
    const bytes = batch.memory.bytes.subarray(0, batch.endBytes)
    this.#post({ sequence, bytes, spans: batch.spans, points: 0, batch })
  }

  sendPoints(points: readonly MetricPoint[]): void {
    for (let from = 0; from < points.length; from += POINTS_PER_FRAME)
      this.#sendPoints(points.slice(from, from + POINTS_PER_FRAME))
  }

  #sendPoints(points: readonly MetricPoint[]): void {
    this.#emittedPoints += points.length
    const bytes = textFrame('points', JSON.stringify(points), this.#sequence + 1)
    while (!this.#hasRoom(bytes.length) && this.#free.pop()) this.#usedBytes -= BATCH_BYTES
    if (!this.#hasRoom(bytes.length)) {
      this.#droppedPoints += points.length
      return
    }
    this.#usedBytes += bytes.length
    this.#post({ sequence: ++this.#sequence, bytes, spans: 0, points: points.length })
  }

  #hasRoom(bytes: number): boolean {
    return this.#usedBytes + bytes <= this.#options.memoryBytes
  }

  /** Waits a limited time until everything is acknowledged; the rest is dropped. */
  async close(): Promise<void> {
    if (this.#unacked.length > 0) {
      const drained = new Promise<void>(resolve => {
        this.#onDrained = resolve
      })
      await Promise.race([drained, runningDelay(this.#options.closeLimitMs)])
    }
    clearTimeout(this.#retry)
    const socket = this.#socket
    this.#socket = undefined
    socket?.destroy()
  }

  #post(frame: Unacked): void {
    this.#unacked.push(frame)
    if (this.#socket && !this.#socket.connecting) this.#write(frame)
  }

  #write({ bytes }: Unacked): void {
    this.#writeStrings()
    this.#socket?.write(bytes)
  }

  #writeStrings(): void {
    const { strings } = this.#options
    while (this.#sentStrings < strings.size) {
      const firstId = this.#sentStrings
      const some = strings.from(firstId).slice(0, STRINGS_PER_FRAME)
      this.#socket?.write(textFrame('strings', JSON.stringify({ firstId, strings: some })))
      this.#sentStrings += some.length
    }
  }

  #connect(): void {
    const reader = new FrameReader(MAX_ANSWER_BYTES)
    const socket = connect(this.#options.path)
    let reason = 'it closed the connection'
    this.#socket = socket
    socket.on('connect', () => {
      this.#sentStrings = 1
      socket.write(textFrame('hello', JSON.stringify(this.#options.hello)))
      for (const frame of this.#unacked) this.#write(frame)
    })
    socket.on('data', chunk => {
      try {
        reader.read(chunk as Buffer, frame => {
          if (frame.kind === frameKinds.refused) reason = textOf(frame)
          else this.#acknowledge(frame.sequence)
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

  #acknowledge(sequence: number): void {
    this.#pauseMs = FIRST_PAUSE_MS
    while (this.#unacked[0] && this.#unacked[0].sequence <= sequence) {
      const { batch, bytes } = this.#unacked.shift() as Unacked
      if (batch) {
        batch.clear()
        this.#free.push(batch)
      } else this.#usedBytes -= bytes.length
    }
    if (this.#unacked.length === 0) this.#onDrained?.()
  }

  #reconnect(socket: Socket, reason: string): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    const { path, memoryBytes } = this.#options
    // No line is written while apm-agent may only be starting or restarting.
    if (this.#pauseMs === LONGEST_PAUSE_MS) {
      this.#complain(
        `app: telemetry waits for apm-agent at ${path} (${reason}); past ${memoryBytes / 2 ** 20} MiB it is dropped`,
      )
    }
    this.#retry = setTimeout(() => this.#connect(), this.#pauseMs)
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }
}
