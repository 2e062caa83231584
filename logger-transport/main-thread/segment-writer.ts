import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { countNewlines } from '../count-newlines.ts'
import { directoryName, type WriterInfo } from '../protocol.ts'
import { PendingLines } from './pending-lines.ts'
import type { Listener, SegmentLimits } from './segment-limits.ts'
import { isGone, WriterDirectory } from './writer-directory.ts'

const RETRY_MS = 100
const DISK_LIMIT = 'the disk limit is reached'
const CLOSE_LIMIT_MS = 5000
const NOTHING = Buffer.alloc(0)
/**
 * Appends lines to segments and never blocks the calling thread: `write` appends to a string, and libuv's pool writes
 * batches to the file system, one at a time. Appending to a string is cheaper than to sonic-boom's buffer, which
 * measures its whole content for every line.
 *
 *   write ─▶ #pending ──(64 KiB or 100 ms)──▶ #batch ──▶ segment file ──▶ logger-transport
 *               │ more than the memory limit
 *               ▼
 *            dropped, and counted
 */
export class SegmentWriter {
  /** Number of lines dropped so far. */
  dropped = 0
  /** Number of lines in batches that were written and then found at their path. */
  linesWritten = 0
  readonly #logDirectory: string
  readonly #resource: WriterInfo['resource']
  readonly #limits: SegmentLimits
  readonly #listener: Listener
  #directory: WriterDirectory
  #epoch = 1
  readonly #pending = new PendingLines()
  #batch = NOTHING
  #batchLines = 0
  /**
   * Bytes of the batch written so far. The rest of a begun batch goes to the same segment: a line must not span two.
   */
  #batchWritten = 0
  #timer: NodeJS.Timeout | undefined
  #draining: Promise<void> | undefined
  #closing = false
  #isFull = false
  #segment: { file: FileHandle; number: number; bytes: number } | undefined

  /** @throws if the directory cannot be created */
  constructor(
    logDirectory: string,
    resource: WriterInfo['resource'],
    limits: SegmentLimits,
    listener: Listener,
  ) {
    this.#logDirectory = logDirectory
    this.#resource = resource
    this.#limits = limits
    this.#listener = listener
    this.#directory = this.#makeDirectory(this.#epoch)
  }

  /** If true, the writer behaves as if its segments had reached the disk bound. */
  set isFull(isFull: boolean) {
    this.#isFull = isFull
  }

  /** Takes a line, including its newline. @returns false if the line was dropped */
  write(line: string): boolean {
    if (this.#pending.length + this.#batch.length + line.length > this.#limits.memoryChars || this.#closing) {
      this.dropped++
      return false
    }
    this.#pending.add(line)
    if (this.#pending.length >= this.#limits.batchChars) this.#drain()
    else this.#schedule()
    return true
  }

  /** Writes the pending lines and marks the end. Lines not written within five seconds are dropped and counted. */
  async close(): Promise<void> {
    this.#closing = true
    const deadline = setTimeout(() => this.#abandon(), CLOSE_LIMIT_MS)
    this.#drain()
    await this.#draining
    // If the end cannot be marked, the transport finds that no process listens, which has the same effect.
    await this.#markEnd().catch(async error => {
      if (isGone(error)) await this.#beginEpoch().then(() => this.#markEnd().catch(() => {}))
    })
    clearTimeout(deadline)
    await this.#segment?.file.close()
    this.#directory.release()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#drain(), this.#limits.flushMs)
  }

  #drain(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
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
      if (this.#batch.length === 0) this.#takeBatch()
      try {
        await this.#writeBatch()
        this.#listener.onTrouble(undefined)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (isGone({ code })) await this.#beginEpoch()
        else this.#listener.onTrouble(code ?? message)
        await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      }
    } while (this.#batch.length > 0 || this.#pending.length >= (this.#closing ? 1 : this.#limits.batchChars))
  }

  /** Limits the batch to the size of a segment, because a larger batch might never find room on the disk. */
  #takeBatch(): void {
    const { bytes, count } = this.#pending.take(this.#limits.segmentBytes)
    this.#batch = bytes
    this.#batchLines = count
  }

  /** Writes the rest of the batch, and forgets the batch after its segment was found at its path. */
  async #writeBatch(): Promise<void> {
    const segment = await this.#roomFor(this.#batch.length)
    while (this.#batchWritten < this.#batch.length) {
      const { bytesWritten } = await segment.file.write(this.#batch, this.#batchWritten)
      segment.bytes += bytesWritten
      this.#batchWritten += bytesWritten
    }
    await this.#checkSegment()
    this.linesWritten += this.#batchLines
    this.#forgetBatch()
  }

  #checkSegment(): Promise<void> {
    return this.#directory.check(this.#segment?.number)
  }

  async #markEnd(): Promise<void> {
    await this.#checkSegment()
    await this.#directory.markEnd(this.linesWritten)
  }

  #forgetBatch(): void {
    this.#batch = NOTHING
    this.#batchLines = 0
    this.#batchWritten = 0
  }

  #makeDirectory(epoch: number): WriterDirectory {
    const name = directoryName({ instance: this.#resource.instance, epoch })
    const { diskBytes } = this.#limits
    const info = { resource: this.#resource, linesBefore: this.linesWritten, diskBytes }
    return new WriterDirectory(join(this.#logDirectory, name), info)
  }

  /** Continues in a new directory with the whole batch, because the old directory may lack it. */
  async #beginEpoch(): Promise<void> {
    try {
      const [left, segment] = [this.#directory, this.#segment]
      this.#directory = this.#makeDirectory(this.#epoch + 1)
      this.#epoch++
      this.#segment = undefined
      this.#batchWritten = 0
      await segment?.file.close().catch(() => {})
      await left.abandon()
      this.#listener.onMoved(this.#directory.path)
    } catch (error) {
      this.#listener.onTrouble((error as NodeJS.ErrnoException).code)
    }
  }

  /** Returns the segment to append to, a new one if the last is full. @throws if the disk bound is reached */
  async #roomFor(bytes: number) {
    const isBegun = this.#batchWritten > 0
    if (this.#isFull && !isBegun) throw new Error(DISK_LIMIT)
    const { segmentBytes, diskBytes } = this.#limits
    if (this.#segment && (isBegun || this.#segment.bytes + bytes <= segmentBytes)) return this.#segment
    const needed = (await this.#directory.segmentBytes()) + Math.max(bytes, segmentBytes)
    if (needed > diskBytes) throw new Error(DISK_LIMIT)
    const number = (this.#segment?.number ?? 0) + 1
    const file = await this.#directory.createSegment(number)
    const full = this.#segment
    this.#segment = { file, number, bytes: 0 }
    await full?.file.close()
    return this.#segment
  }

  #abandon(): void {
    const unwritten = countNewlines(this.#batch.subarray(this.#batchWritten))
    this.linesWritten += this.#batchLines - unwritten
    this.dropped += this.#pending.count + unwritten
    this.#pending.clear()
    this.#forgetBatch()
  }
}
