import { isGone } from '../is-gone.ts'
import type { WriterInfo } from '../protocol.ts'
import { Batch } from './batch.ts'
import { ImmediateFiles } from './immediate-files.ts'
import { PendingLines } from './pending-lines.ts'
import type { Listener, SegmentLimits, Writer } from './segment-limits.ts'
import { DISK_LIMIT } from './writer-directory.ts'

/**
 * The writer of a worker thread. Whoever ends a thread, by `process.exit()` in another or by `terminate()`, gives it no time
 * to write lines that wait. So each line is written at once, and lines wait only while they cannot be written.
 */
export class ImmediateWriter implements Writer {
  dropped = 0
  isFull = false
  #linesWritten = 0
  #closing = false
  readonly #limits: SegmentLimits
  readonly #listener: Listener
  readonly #files: ImmediateFiles
  readonly #pending = new PendingLines()
  readonly #batch = new Batch()

  /** @throws if the directory cannot be created */
  constructor(
    logDirectory: string,
    resource: WriterInfo['resource'],
    limits: SegmentLimits,
    listener: Listener,
  ) {
    this.#limits = limits
    this.#listener = listener
    this.#files = new ImmediateFiles({ logDirectory, resource, limits })
  }

  write(lines: string, count = 1): boolean {
    const waitingChars = this.#pending.length + this.#batch.bytes.length
    if (waitingChars + lines.length > this.#limits.memoryChars || this.#closing) {
      this.dropped += count
      return false
    }
    this.#pending.add(lines, count)
    // Lines that wait already are tried again at the next beat, and not with each line.
    if (waitingChars === 0) this.writeLast()
    return true
  }

  /** Writes the lines that wait, and tries again at the next beat if it cannot. */
  writeLast = (): void => {
    try {
      while (!this.#batch.isEmpty || this.#pending.length > 0) this.#writeBatch()
      this.#listener.onTrouble(undefined)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      this.#listener.onTrouble(code ?? message)
      this.#limits.flushSoon(this.writeLast)
    }
  }

  async close(): Promise<void> {
    this.writeLast()
    this.#closing = true
    const unwritten = this.#batch.countUnwritten()
    this.#linesWritten += this.#batch.count - unwritten
    this.dropped += this.#pending.count + unwritten
    this.#pending.clear()
    this.#batch.clear()
    this.#files.close(this.#linesWritten)
  }

  /** @throws if the batch cannot be written; it is then kept */
  #writeBatch(): void {
    if (this.#batch.isEmpty) {
      const { bytes, count } = this.#pending.take(this.#limits.segmentBytes)
      this.#batch.fill(bytes, count)
    }
    if (this.isFull) throw new Error(DISK_LIMIT)
    try {
      this.#files.append(this.#batch)
    } catch (error) {
      if (!isGone(error)) throw error
      this.#listener.onMoved(this.#files.beginEpoch(this.#linesWritten))
      this.#batch.written = 0
      this.#files.append(this.#batch)
    }
    this.#linesWritten += this.#batch.count
    this.#batch.clear()
  }
}
