import { isGone } from '../is-gone.ts'
import type { WriterInfo } from '../protocol.ts'
import { Batch } from './batch.ts'
import type { ImmediateFiles } from './immediate-files.ts'
import { PendingLines } from './pending-lines.ts'
import { SegmentFiles } from './segment-files.ts'
import type { Listener, SegmentLimits, Writer } from './segment-limits.ts'

const RETRY_MS = 100
/** At the end, lines that cannot be written are given up. What hangs in the file system is no longer waited for a bit later. */
const GIVE_UP_MS = 4500
const CLOSE_LIMIT_MS = 5000

/**
 * Appends lines to segments and never blocks the calling thread: `write` appends to a string, and libuv's pool writes
 * batches to the file system, one at a time. Appending to a string is cheaper than to sonic-boom's buffer, which
 * measures its whole content for every line.
 *
 *   write ─▶ #pending ──(256 KiB or a beat)─▶ #batch ──▶ segment file ──▶ logger-transport
 *               │ more than the memory limit
 *               ▼
 *            dropped, and counted
 */
export class SegmentWriter implements Writer {
  dropped = 0
  /** Number of lines in batches that were written and then found at their path. */
  linesWritten = 0
  readonly #limits: SegmentLimits
  readonly #listener: Listener
  readonly #files: SegmentFiles
  readonly #pending = new PendingLines()
  readonly #batch = new Batch()
  #isScheduled = false
  #draining: Promise<void> | undefined
  #closing: Promise<void> | undefined
  #isEnding = false
  #last: ImmediateFiles | undefined

  /** @throws if the directory cannot be created */
  constructor(
    logDirectory: string,
    resource: WriterInfo['resource'],
    limits: SegmentLimits,
    listener: Listener,
  ) {
    this.#limits = limits
    this.#listener = listener
    this.#files = new SegmentFiles({ logDirectory, resource, limits })
  }

  get isFull(): boolean {
    return this.#files.isFull
  }

  set isFull(isFull: boolean) {
    this.#files.isFull = isFull
  }

  write(lines: string, count = 1): boolean {
    if (this.#isEnding) return this.#writeNow(Buffer.from(lines), count)
    const waitingChars = this.#pending.length + this.#batch.bytes.length
    if (waitingChars + lines.length > this.#limits.memoryChars || this.#closing) {
      this.dropped += count
      return false
    }
    this.#pending.add(lines, count)
    if (this.#pending.length >= this.#limits.batchChars) this.#drain()
    else this.#schedule()
    return true
  }

  /**
   * Writes the pending lines and marks the end. Lines not written within five seconds are dropped and counted, also when the
   * file system hangs.
   */
  close(): Promise<void> {
    this.#closing ??= this.#closeInTime()
    return this.#closing
  }

  async #closeInTime(): Promise<void> {
    const limit = Promise.withResolvers<void>()
    const timers = [setTimeout(() => this.#abandon(), GIVE_UP_MS), setTimeout(limit.resolve, CLOSE_LIMIT_MS)]
    await Promise.race([this.#finish(), limit.promise])
    for (const timer of timers) clearTimeout(timer)
  }

  async #finish(): Promise<void> {
    this.#drain()
    await this.#draining
    const markEnd = () => this.#files.markEnd(this.linesWritten)
    // If the end cannot be marked, the transport finds that no process listens, which has the same effect.
    await markEnd().catch(async error => {
      if (isGone(error)) await this.#beginEpoch().then(() => markEnd().catch(() => {}))
    })
    await this.#files.close()
  }

  /** From then on, each line is written at once: other listeners of the end of the process may log, too. */
  writeLast(): void {
    this.#isEnding = true
    const pending = this.#pending.take(Number.POSITIVE_INFINITY)
    const lines = Buffer.concat([this.#batch.bytes, pending.bytes])
    if (lines.length > 0) this.#writeNow(lines, this.#batch.count + pending.count)
  }

  #writeNow(lines: Buffer<ArrayBuffer>, count: number): boolean {
    const batch = new Batch()
    batch.fill(lines, count)
    try {
      this.#last ??= this.#files.beginLast(this.linesWritten)
      this.#last.append(batch)
    } catch (error) {
      this.#listener.onTrouble((error as NodeJS.ErrnoException).code)
    }
    const unwritten = batch.countUnwritten()
    this.linesWritten += count - unwritten
    this.dropped += unwritten
    return unwritten === 0
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#limits.flushSoon(this.#flush)
  }

  #flush = (): void => {
    this.#isScheduled = false
    // A full batch may have taken the lines meanwhile.
    if (this.#pending.length > 0) this.#drain()
  }

  #drain(): void {
    this.#draining ??= this.#writeBatches().finally(() => {
      this.#draining = undefined
      if (this.#pending.length > 0) this.#schedule()
    })
  }

  /**
   * Lines that arrive during a write wait until they fill a batch, because a small write costs as much as a large one.
   */
  async #writeBatches(): Promise<void> {
    do {
      if (this.#batch.isEmpty) this.#fillBatch()
      try {
        await this.#files.append(this.#batch)
        this.linesWritten += this.#batch.count
        this.#batch.clear()
        this.#listener.onTrouble(undefined)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (isGone(error)) await this.#beginEpoch()
        else this.#listener.onTrouble(code ?? message)
        await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      }
    } while (!this.#batch.isEmpty || this.#pending.length >= (this.#closing ? 1 : this.#limits.batchChars))
  }

  /** Limits the batch to the size of a segment, because a larger batch might never find room on the disk. */
  #fillBatch(): void {
    const { bytes, count } = this.#pending.take(this.#limits.segmentBytes)
    this.#batch.fill(bytes, count)
  }

  async #beginEpoch(): Promise<void> {
    try {
      this.#listener.onMoved(await this.#files.beginEpoch(this.linesWritten, this.#batch))
    } catch (error) {
      this.#listener.onTrouble((error as NodeJS.ErrnoException).code)
    }
  }

  /** Gives up all lines that are not written. */
  #abandon(): void {
    const unwritten = this.#batch.countUnwritten()
    this.linesWritten += this.#batch.count - unwritten
    this.dropped += this.#pending.count + unwritten
    this.#pending.clear()
    this.#batch.clear()
  }
}
