import { allocate, HEADER_BYTES, type Memory, RECORD_BYTES } from '../protocol.ts'

const BATCH_RECORDS = 800
export const BATCH_BYTES = HEADER_BYTES + BATCH_RECORDS * RECORD_BYTES
const RECORD_WORDS = RECORD_BYTES / 4

/** Records that are sent in one frame, after room for its header. */
export class Batch {
  readonly memory: Memory = allocate(BATCH_BYTES)
  records = 0
  /** Number of sampled spans among the records. */
  spans = 0

  get isFull(): boolean {
    return this.records === BATCH_RECORDS
  }

  get endBytes(): number {
    return HEADER_BYTES + this.records * RECORD_BYTES
  }

  /** Copies a record into the batch. There must be room. */
  add({ uint32: source }: Memory, at: number): void {
    const { uint32: target } = this.memory
    let from = at >> 2
    let to = this.endBytes >> 2
    for (const end = to + RECORD_WORDS; to < end; ) target[to++] = source[from++] as number
    this.records++
  }

  clear(): void {
    this.records = 0
    this.spans = 0
  }
}

/** The receiver of batches: apm-agent, or the aggregation in this process. */
export interface BatchSink {
  /** Whether a batch may be sent before it is full. */
  readonly takesPartialBatches: boolean
  /** Memory for a batch; undefined if none is free, and then records are dropped. */
  take(): Batch | undefined
  /** Takes a batch over. */
  send(batch: Batch): void
}
