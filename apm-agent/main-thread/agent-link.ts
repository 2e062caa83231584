import { connect, type Socket } from 'node:net'
import { createComplaint } from '../../lib/cli/complaint.ts'
import { runningDelay } from '../../lib/os/running-time.ts'
import { type Frame, FrameReader, textFrame, textOf, writeHeader } from '../frames.ts'
import { frameKinds, type Hello, type MetricPoint, RECORD_BYTES, type Sender } from '../protocol.ts'
import type { Batch } from './batch.ts'
import type { Destination } from './recording.ts'
import type { Strings } from './strings.ts'
import { type SentFrame, UnackedFrames } from './unacked-frames.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
const STRINGS_PER_FRAME = 64
const POINTS_PER_FRAME = 256
const MAX_ANSWER_BYTES = 4096
/** With more unacknowledged frames, only full batches are sent: apm-agent or its collector does not keep up. */
const MAX_PARTIAL_BATCHES = 64

interface AgentLinkOptions {
  /** Path of apm-agent's Unix socket. */
  readonly path: string
  readonly sender: Sender
  readonly strings: Strings
  /** The limit on the memory of unacknowledged frames. Further records are dropped. */
  readonly memoryBytes: number
  /** The time that `close` waits for the last acknowledgements, in milliseconds. */
  readonly closeLimitMs: number
}

/**
 * Sends batches to apm-agent. It never waits and never fails: unacknowledged frames stay in memory up to a limit and are
 * sent again over the next connection. Beyond the limit, frames that apm-agent has received and not yet exported are no
 * longer kept, and if it received none, new records are dropped and counted. Before it is closed, it does not keep the
 * process alive.
 *
 *     take ─▶ Batch ─▶ send ─▶ #frames ── socket ──▶ apm-agent
 *       ▲                         │
 *       └──── free again ◀── ack ─┘
 */
export class AgentLink implements Destination {
  #emittedPoints = 0
  #droppedPoints = 0
  readonly #options: AgentLinkOptions
  readonly #complain = createComplaint()
  readonly #frames: UnackedFrames
  #sequence = 0
  /** Number of strings that were sent over this connection. */
  #sentStrings = 1
  #socket: Socket | undefined
  #pauseMs = FIRST_PAUSE_MS
  #retry: NodeJS.Timeout | undefined
  #closing = false
  #onDrained: (() => void) | undefined

  constructor(options: AgentLinkOptions) {
    this.#options = options
    this.#frames = new UnackedFrames(options.memoryBytes)
    this.#connect()
  }

  get takesPartialBatches(): boolean {
    return this.#frames.size < MAX_PARTIAL_BATCHES
  }

  counts() {
    return {
      droppedSpans: this.#frames.countDropped('spans'),
      metricPoints: {
        emitted: this.#emittedPoints,
        dropped: this.#droppedPoints + this.#frames.countDropped('points'),
      },
    }
  }

  take(): Batch | undefined {
    return this.#frames.takeBatch()
  }

  send(batch: Batch): void {
    const sequence = ++this.#sequence
    writeHeader(batch.memory, 'records', batch.records * RECORD_BYTES, sequence)
    const bytes = batch.memory.bytes.subarray(0, batch.endBytes)
    const frame = { sequence, spans: batch.spans, points: 0 }
    if (batch.isFull || !this.#frames.reserve(bytes.length)) return this.#post({ ...frame, bytes, batch })
    // A copy of a batch that is not full needs less memory, and the batch is free again at once.
    this.#post({ ...frame, bytes: Buffer.from(bytes) })
    this.#frames.recycle(batch)
  }

  sendPoints(points: readonly MetricPoint[]): void {
    for (let from = 0; from < points.length; from += POINTS_PER_FRAME)
      this.#sendPoints(points.slice(from, from + POINTS_PER_FRAME))
  }

  #sendPoints(points: readonly MetricPoint[]): void {
    this.#emittedPoints += points.length
    const bytes = textFrame('points', JSON.stringify(points), this.#sequence + 1)
    if (!this.#frames.reserve(bytes.length)) {
      this.#droppedPoints += points.length
      return
    }
    this.#post({ sequence: ++this.#sequence, bytes, spans: 0, points: points.length })
  }

  /** Waits a limited time until everything is acknowledged; the rest is dropped. */
  async close(): Promise<void> {
    this.#closing = true
    this.#socket?.ref()
    this.#retry?.ref()
    if (this.#frames.size > 0) {
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

  #post(frame: SentFrame): void {
    this.#frames.add(frame)
    if (this.#socket && !this.#socket.connecting) this.#write(frame)
  }

  #write({ bytes }: SentFrame): void {
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
    if (!this.#closing) socket.unref()
    let reason = 'it closed the connection'
    this.#socket = socket
    socket.on('connect', () => {
      this.#sentStrings = 1
      const hello: Hello = { ...this.#options.sender, receivedBefore: this.#frames.receivedBefore }
      socket.write(textFrame('hello', JSON.stringify(hello)))
      for (const frame of this.#frames) this.#write(frame)
    })
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

  #takeAnswer({ kind, sequence }: Frame): void {
    this.#pauseMs = FIRST_PAUSE_MS
    if (kind === frameKinds.received) this.#frames.markReceived(sequence)
    else this.#frames.acknowledge(sequence)
    if (this.#frames.size === 0) this.#onDrained?.()
  }

  #reconnect(socket: Socket, reason: string): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    this.#frames.disconnect()
    const { path, memoryBytes } = this.#options
    // No line is written while apm-agent may only be starting or restarting.
    if (this.#pauseMs === LONGEST_PAUSE_MS) {
      this.#complain(
        `apm-agent: telemetry waits for the agent at ${path} (${reason}); past ${memoryBytes / 2 ** 20} MiB it is dropped`,
      )
    }
    this.#retry = setTimeout(() => this.#connect(), this.#pauseMs)
    if (!this.#closing) this.#retry.unref()
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }
}
