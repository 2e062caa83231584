import { isGone, type WriterInfo } from '../protocol.ts'
import { Batch } from './batch.ts'
import { ImmediateFiles } from './immediate-files.ts'
import { PendingLines } from './pending-lines.ts'
import { SegmentFiles } from './segment-files.ts'
import type { Listener, SegmentLimits } from './segment-limits.ts'
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
  readonly #files: SegmentFiles | undefined
  /** Takes the lines that are written at once. */
  #immediate: ImmediateFiles | undefined
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
    const place = { logDirectory, resource, limits }
    if (isImmediate) this.#immediate = new ImmediateFiles(place)
    else this.#files = new SegmentFiles(place)
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
    if (this.#immediate) {
      // Lines that wait already are tried again at the next beat, and not with each line.
      if (waitingChars === 0) this.#writeNow(this.#immediate)
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
    const files = this.#immediate ?? this.#files
    if (this.#immediate) {
      this.#writeNow(this.#immediate)
      this.#abandon()
    } else {
      this.#drain()
      await this.#draining
    }
    // If the end cannot be marked, the transport finds that no process listens, which has the same effect.
    await files?.close(this.linesWritten).catch(() => {})
  }

  /**
   * Writes the lines that wait, at the end of a process that has not closed this writer. It blocks, and never throws. Other
   * listeners of the end may log, too.
   */
  writeLast(): void {
    try {
      this.#immediate ??= this.#beginLast(this.#files as SegmentFiles)
      this.#writeNow(this.#immediate)
    } catch (error) {
      this.#listener.onTrouble((error as NodeJS.ErrnoException).code)
    }
  }

  #beginLast(files: SegmentFiles): ImmediateFiles {
    const last = files.beginLast(this.linesWritten)
    // A write that is in progress ends in the directory before, if at all, and what was closed takes lines again.
    this.#batch.written = 0
    this.#closing = undefined
    this.isFull = false
    return last
  }

  #writeNow(files: ImmediateFiles): void {
    try {
      while (!this.#batch.isEmpty || this.#pending.length > 0) this.#writeBatchNow(files)
      this.#listener.onTrouble(undefined)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      this.#listener.onTrouble(code ?? message)
      this.#schedule()
    }
  }

  /** @throws if the batch cannot be written; it is then kept */
  #writeBatchNow(files: ImmediateFiles): void {
    this.#fillBatch()
    try {
      files.append(this.#batch)
    } catch (error) {
      if (!isGone(error)) throw error
      this.#listener.onMoved(files.beginEpoch(this.linesWritten))
      this.#batch.written = 0
      files.append(this.#batch)
    }
    this.linesWritten += this.#batch.count
    this.#batch.clear()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#limits.flushSoon(this.#flush)
  }

  #flush = (): void => {
    this.#isScheduled = false
    if (this.#immediate) this.#writeNow(this.#immediate)
    // A full batch may have taken the lines meanwhile.
    else if (this.#pending.length > 0) this.#drain()
  }

  #drain(): void {
    const files = this.#files as SegmentFiles
    this.#draining ??= this.#writeBatches(files).finally(() => {
      this.#draining = undefined
      if (this.#pending.length > 0) this.#schedule()
    })
  }

  /**
   * Lines that arrive during a write wait until they fill a batch, because a small write costs as much as a large one.
   */
  async #writeBatches(files: SegmentFiles): Promise<void> {
    do {
      try {
        this.#fillBatch()
        await files.append(this.#batch)
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

  async #beginEpoch(): Promise<void> {
    try {
      this.#listener.onMoved((await this.#files?.beginEpoch(this.linesWritten, this.#batch)) as string)
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
