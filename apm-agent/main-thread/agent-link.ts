import { createComplaint } from '../../lib/cli/terminal.ts'
import { runningDelay } from '../../lib/os/running-time.ts'
import { type Frame, textFrame, writeHeader } from '../frames.ts'
import type { MetricPoint } from '../metrics.ts'
import { frameKinds, HEADER_BYTES, MAX_PAYLOAD_BYTES, RECORD_BYTES, type Sender } from '../protocol.ts'
import { AgentConnection } from './agent-connection.ts'
import type { Batch } from './batch.ts'
import type { Destination } from './recording.ts'
import type { Strings } from './strings.ts'
import { type SentFrame, UnackedFrames } from './unacked-frames.ts'

const STRINGS_PER_FRAME = 64
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
 * longer kept, and if it received none, new records are dropped and counted. It keeps the process alive only while it
 * settles.
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
  readonly #connection: AgentConnection
  #sequence = 0
  /** Number of strings that were sent over this connection. */
  #sentStrings = 1
  #onDrained: (() => void) | undefined

  constructor(options: AgentLinkOptions) {
    this.#options = options
    this.#frames = new UnackedFrames(options.memoryBytes)
    this.#connection = new AgentConnection(options.path, {
      onOpen: () => this.#open(),
      onAnswer: frame => this.#takeAnswer(frame),
      onClose: () => this.#frames.disconnect(),
      onAbsent: reason =>
        this.#complain(
          `apm-agent: telemetry waits for the agent at ${options.path} (${reason}); past ${options.memoryBytes / 2 ** 20} MiB it is dropped`,
        ),
    })
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

  /** Sends the points in as few frames as hold them. A point that is too large for any is dropped and counted. */
  sendPoints(points: readonly MetricPoint[]): void {
    if (points.length === 0) return
    const bytes = textFrame('points', JSON.stringify(points), this.#sequence + 1)
    const isTooLarge = bytes.length > HEADER_BYTES + MAX_PAYLOAD_BYTES
    if (isTooLarge && points.length > 1) {
      const half = points.length >> 1
      this.sendPoints(points.slice(0, half))
      return this.sendPoints(points.slice(half))
    }
    this.#emittedPoints += points.length
    if (isTooLarge || !this.#frames.reserve(bytes.length)) this.#droppedPoints += points.length
    else this.#post({ sequence: ++this.#sequence, bytes, spans: 0, points: points.length })
  }

  /** Waits a limited time until everything is acknowledged. Meanwhile it keeps the process alive. */
  async settle(limitMs = this.#options.closeLimitMs): Promise<void> {
    this.#connection.holdProcess(true)
    if (this.#frames.size > 0) {
      const drained = new Promise<void>(resolve => {
        this.#onDrained = resolve
      })
      await Promise.race([drained, runningDelay(limitMs)])
    }
    this.#connection.holdProcess(false)
  }

  /** As `settle`; the rest is dropped. */
  async close(limitMs?: number): Promise<void> {
    await this.settle(limitMs)
    this.#connection.close()
  }

  #post(frame: SentFrame): void {
    this.#frames.add(frame)
    if (this.#connection.isOpen) this.#write(frame)
  }

  /** Writes what a new connection begins with. */
  #open(): void {
    this.#sentStrings = 1
    this.#connection.write(textFrame('hello', JSON.stringify(this.#options.sender)))
    for (const frame of this.#frames) this.#write(frame)
  }

  #write({ bytes }: SentFrame): void {
    this.#writeStrings()
    this.#connection.write(bytes)
  }

  #writeStrings(): void {
    const { strings } = this.#options
    while (this.#sentStrings < strings.size) {
      const firstId = this.#sentStrings
      const some = strings.from(firstId).slice(0, STRINGS_PER_FRAME)
      this.#connection.write(textFrame('strings', JSON.stringify({ firstId, strings: some })))
      this.#sentStrings += some.length
    }
  }

  #takeAnswer({ kind, sequence }: Frame): void {
    if (kind === frameKinds.received) this.#frames.markReceived(sequence)
    else this.#frames.acknowledge(sequence)
    if (this.#frames.size === 0) this.#onDrained?.()
  }
}
