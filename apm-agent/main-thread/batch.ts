import { allocate, HEADER_BYTES, type Memory, RECORD_BYTES } from '../protocol.ts'

const BATCH_RECORDS = 800
export const BATCH_BYTES = HEADER_BYTES + BATCH_RECORDS * RECORD_BYTES
const RECORD_WORDS = RECORD_BYTES / 4

/** Records that travel together, behind room for the header of their frame. */
export class Batch {
  readonly memory: Memory = allocate(BATCH_BYTES)
  records = 0
  /** How many of them are sampled spans. */
  spans = 0

  get isFull(): boolean {
    return this.records === BATCH_RECORDS
  }

  get endBytes(): number {
    return HEADER_BYTES + this.records * RECORD_BYTES
  }

  /** Copies a record. There must be room. */
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

/** Where batches go: to apm-agent, or to the aggregation in this process. */
export interface BatchSink {
  /** Whether it has nothing left to do. While it has, batches are sent when they are full only. */
  readonly isIdle: boolean
  /** Memory to write to; undefined while none is free, and records are dropped. */
  take(): Batch | undefined
  /** Takes a batch over. */
  send(batch: Batch): void
}
