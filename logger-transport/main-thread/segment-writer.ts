import { isGone, type WriterInfo } from '../protocol.ts'
import { Batch } from './batch.ts'
import { PendingLines } from './pending-lines.ts'
import { SegmentFiles } from './segment-files.ts'
import type { Listener, SegmentLimits } from './segment-limits.ts'
import { later, now, runLater, runNow, type Steps } from './steps.ts'
import { DISK_LIMIT } from './writer-directory.ts'

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
 *
 * Whoever ends a worker thread, by `process.exit()` in another or by `terminate()`, gives it no time to write lines that wait, and
 * neither does the end of the process. There each line is written at once, by calls that block, and waits only while it cannot be.
 */
export class SegmentWriter {
  /** Number of lines dropped so far. */
  dropped = 0
  /** Number of lines in batches that were written and then found at their path. */
  linesWritten = 0
  /** If true, the writer behaves as if its segments had reached the disk bound. */
  isFull = false
  readonly #limits: SegmentLimits
  readonly #listener: Listener
  #files: SegmentFiles
  #isImmediate: boolean
  readonly #pending = new PendingLines()
  readonly #batch = new Batch()
  #isScheduled = false
  #draining: Promise<void> | undefined
  #closing: Promise<void> | undefined

  /**
   * @param isImmediate whether each line is written at once
   * @throws if the directory cannot be created
   */
  constructor(
    logDirectory: string,
    resource: WriterInfo['resource'],
    limits: SegmentLimits,
    listener: Listener,
    isImmediate = false,
  ) {
    this.#limits = limits
    this.#listener = listener
    this.#isImmediate = isImmediate
    this.#files = new SegmentFiles({ logDirectory, resource, limits }, isImmediate ? now : later)
  }

  /** Number of lines that were dropped or still wait. */
  get unwritten(): number {
    return this.dropped + this.#pending.count + this.#batch.countUnwritten()
  }

  /** Takes lines, each including its newline. @returns false if they were dropped */
  write(lines: string, count = 1): boolean {
    const waitingChars = this.#pending.length + this.#batch.bytes.length
    if (waitingChars + lines.length > this.#limits.memoryChars || this.#closing) {
      this.dropped += count
      return false
    }
    this.#pending.add(lines, count)
    if (this.#isImmediate) {
      // Lines that wait already are tried again at the next beat, and not with each line.
      if (waitingChars === 0) this.#writeNow()
      return true
    }
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
    if (this.#isImmediate) {
      this.#writeNow()
      this.#abandon()
    } else {
      this.#drain()
      await this.#draining
    }
    // If the end cannot be marked, the transport finds that no process listens, which has the same effect.
    await runLater(this.#files.close(this.linesWritten)).catch(() => {})
  }

  /**
   * Writes the lines that wait, at the end of a process that has not closed this writer. It blocks, and never throws. Other
   * listeners of the end may log, too.
   */
  writeLast(): void {
    try {
      if (!this.#isImmediate) this.#beginLast()
      this.#writeNow()
    } catch (error) {
      this.#sayTrouble(error)
    }
  }

  #beginLast(): void {
    this.#files = runNow(this.#files.beginLast(this.linesWritten))
    this.#isImmediate = true
    // A write that is in progress ends in the directory before, if at all, and what was closed takes lines again.
    this.#batch.written = 0
    this.#closing = undefined
    this.isFull = false
  }

  #writeNow(): void {
    try {
      while (!this.#batch.isEmpty || this.#pending.length > 0) runNow(this.#writeBatch())
      this.#listener.onTrouble(undefined)
    } catch (error) {
      this.#sayTrouble(error)
      this.#schedule()
    }
  }

  #sayTrouble(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException
    this.#listener.onTrouble(code ?? message)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#limits.flushSoon(this.#flush)
  }

  #flush = (): void => {
    this.#isScheduled = false
    if (this.#isImmediate) this.#writeNow()
    // A full batch may have taken the lines meanwhile.
    else if (this.#pending.length > 0) this.#drain()
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
      try {
        await runLater(this.#writeBatch())
        this.#listener.onTrouble(undefined)
      } catch (error) {
        this.#sayTrouble(error)
        await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      }
    } while (!this.#batch.isEmpty || this.#pending.length >= (this.#closing ? 1 : this.#limits.batchChars))
  }

  /**
   * Writes the next lines, in a new directory if this one is gone.
   * @throws if they cannot be written; they are then kept
   */
  *#writeBatch(): Steps<void> {
    this.#fillBatch()
    try {
      yield* this.#files.append(this.#batch)
    } catch (error) {
      if (!isGone(error)) throw error
      this.#listener.onMoved(yield* this.#files.beginEpoch(this.linesWritten, this.#batch))
      yield* this.#files.append(this.#batch)
    }
    this.linesWritten += this.#batch.count
    this.#batch.clear()
  }

  /**
   * Fills an empty batch, up to the size of a segment: a larger batch might never find room on the disk.
   * @throws if no lines may be written now
   */
  #fillBatch(): void {
    if (this.#batch.isEmpty) {
      const { bytes, count } = this.#pending.take(this.#limits.segmentBytes)
      this.#batch.fill(bytes, count)
    }
    if (this.isFull) throw new Error(DISK_LIMIT)
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
