import { mkdirSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CLOSED_FILE,
  segmentName,
  segmentNumber,
  TOUCH_INTERVAL_MS,
  WRITER_FILE,
  type WriterInfo,
} from '../protocol.ts'

export interface SegmentLimits {
  /** A batch is written when it has as many characters, or after `flushMs`. */
  readonly batchChars: number
  readonly flushMs: number
  /** Lines that cannot be written wait in memory up to this; past it they are dropped. */
  readonly memoryChars: number
  readonly segmentBytes: number
  /** All segments of this writer that were not yet delivered. */
  readonly diskBytes: number
}

/** What does not depend on how much room there is. */
export const segmentLimits = { batchChars: 64 * 1024, flushMs: 100, segmentBytes: 4 * 2 ** 20 } as const

const RETRY_MS = 500
const DISK_LIMIT = 'the disk limit is reached'
const CLOSE_LIMIT_MS = 5000

/**
 * Appends lines to segments and never blocks the thread that calls it: `write` adds to a string, and batches go to
 * the file system from libuv's pool, one at a time. A string is cheaper to add to than sonic-boom's buffer, which
 * measures its whole content for every line.
 *
 *   write ─▶ #pending ──(64 KiB or 100 ms)──▶ #batch ──▶ segment file ──▶ logger-transport
 *               │ more than the memory limit
 *               ▼
 *            dropped, and counted
 */
export class SegmentWriter {
  /** Lines that were dropped so far. */
  dropped = 0
  readonly #directory: string
  readonly #limits: SegmentLimits
  readonly #onTrouble: (reason: string | undefined) => void
  #pending = ''
  #batch = Buffer.alloc(0)
  /** A batch that was begun is finished in its segment: a line must not lie in two. */
  #begun = false
  #timer: NodeJS.Timeout | undefined
  #draining: Promise<void> | undefined
  #closing = false
  #isFull = false
  readonly #touching: NodeJS.Timeout
  #segment: { file: FileHandle; number: number; bytes: number } | undefined

  /**
   * @param onTrouble told why lines cannot be written, at every attempt, and undefined when they can again
   * @throws when the directory cannot be made
   */
  constructor(
    directory: string,
    info: WriterInfo,
    limits: SegmentLimits,
    onTrouble: (reason?: string) => void,
  ) {
    this.#directory = directory
    this.#limits = limits
    this.#onTrouble = onTrouble
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const writerFile = join(directory, WRITER_FILE)
    writeFileSync(writerFile, JSON.stringify(info), { mode: 0o600 })
    const touch = () => void utimes(writerFile, new Date(), new Date()).catch(() => {})
    this.#touching = setInterval(touch, TOUCH_INTERVAL_MS).unref()
  }

  /** As if its segments had reached the disk bound. */
  set isFull(isFull: boolean) {
    this.#isFull = isFull
  }

  /** Takes a line with its newline; false when it had to be dropped. */
  write(line: string): boolean {
    if (this.#pending.length + this.#batch.length + line.length > this.#limits.memoryChars || this.#closing) {
      this.dropped++
      return false
    }
    this.#pending += line
    if (this.#pending.length >= this.#limits.batchChars) this.#drain()
    else this.#schedule()
    return true
  }

  /** Writes what is pending and marks the end. What cannot be written within five seconds is dropped and counted. */
  async close(): Promise<void> {
    this.#closing = true
    const deadline = setTimeout(() => this.#abandon(), CLOSE_LIMIT_MS)
    this.#drain()
    await this.#draining
    clearTimeout(deadline)
    clearInterval(this.#touching)
    await this.#segment?.file.close()
    // Where it cannot be written, the transport takes this writer for dead after a while, which comes to the same.
    await writeFile(join(this.#directory, CLOSED_FILE), '', { mode: 0o600 }).catch(() => {})
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#drain(), this.#limits.flushMs)
  }

  #drain(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#draining ??= this.#writeBatches().finally(() => {
      this.#draining = undefined
      if (this.#pending) this.#schedule()
    })
  }

  /** What comes in while a batch is being written waits until it is a batch itself: a small write costs as much. */
  async #writeBatches(): Promise<void> {
    do {
      if (this.#batch.length === 0) {
        this.#batch = Buffer.from(this.#pending)
        this.#pending = ''
      }
      try {
        await this.#writeBatch()
        this.#onTrouble(undefined)
      } catch (error) {
        this.#onTrouble((error as NodeJS.ErrnoException).code ?? (error as Error).message)
        await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      }
    } while (this.#batch.length > 0 || this.#pending.length >= (this.#closing ? 1 : this.#limits.batchChars))
  }

  /** Writes as much of the batch as the system takes; what it did not take stays in the batch. */
  async #writeBatch(): Promise<void> {
    const segment = await this.#roomFor(this.#batch.length)
    while (this.#batch.length > 0) {
      const { bytesWritten } = await segment.file.write(this.#batch)
      this.#begun = true
      segment.bytes += bytesWritten
      this.#batch = this.#batch.subarray(bytesWritten)
    }
    this.#begun = false
  }

  /** The segment to append to; a new one when the last is full. */
  async #roomFor(bytes: number) {
    if (this.#isFull && !this.#begun) throw new Error(DISK_LIMIT)
    const { segmentBytes, diskBytes } = this.#limits
    if (this.#segment && (this.#begun || this.#segment.bytes + bytes <= segmentBytes)) return this.#segment
    const needed = (await this.#bytesOnDisk()) + Math.max(bytes, segmentBytes)
    if (needed > diskBytes) throw new Error(DISK_LIMIT)
    const number = (this.#segment?.number ?? 0) + 1
    const file = await open(join(this.#directory, segmentName(number)), 'ax', 0o600)
    await this.#segment?.file.close()
    this.#segment = { file, number, bytes: 0 }
    return this.#segment
  }

  async #bytesOnDisk(): Promise<number> {
    const names = (await readdir(this.#directory)).filter(name => segmentNumber(name) !== undefined)
    // The transport may delete one at any time.
    const sizes = names.map(name =>
      stat(join(this.#directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
    return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
  }

  #abandon(): void {
    const lines = this.#pending.split('\n').length + this.#batch.toString().split('\n').length - 2
    this.dropped += lines
    this.#pending = ''
    this.#batch = Buffer.alloc(0)
    this.#begun = false
  }
}
