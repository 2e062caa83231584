import type { FileHandle } from 'node:fs/promises'
import type { Batch } from './batch.ts'
import { ImmediateFiles } from './immediate-files.ts'
import { DISK_LIMIT, WriterDirectory, type WriterPlace } from './writer-directory.ts'

/** The segments of a writer, in the directory of its present epoch. */
export class SegmentFiles {
  /** If true, the segments behave as if they had reached the disk bound. */
  isFull = false
  readonly #place: WriterPlace
  #directory: WriterDirectory
  #epoch = 1
  #segment: { file: FileHandle; number: number; bytes: number } | undefined

  /** @throws if the directory cannot be created */
  constructor(place: WriterPlace) {
    this.#place = place
    this.#directory = new WriterDirectory(place, this.#epoch, 0)
  }

  /**
   * Appends the rest of a batch, and resolves after the segment was found at its path.
   * @throws if the disk bound is reached, or if a file or the directory is gone
   */
  async append(batch: Batch): Promise<void> {
    const segment = await this.#roomFor(batch)
    while (batch.written < batch.bytes.length) {
      const { bytesWritten } = await segment.file.write(batch.bytes, batch.written)
      segment.bytes += bytesWritten
      batch.written += bytesWritten
    }
    await this.#check()
  }

  /**
   * Marks that no further lines follow.
   * @param lines the number of lines in the segments of all epochs
   * @throws if the directory is gone
   */
  async markEnd(lines: number): Promise<void> {
    await this.#check()
    await this.#directory.markEnd(lines)
  }

  /**
   * Continues in a new directory with the whole batch, because the old directory may lack it.
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @returns the path of the new directory
   * @throws if the directory cannot be created
   */
  async beginEpoch(linesBefore: number, batch: Batch): Promise<string> {
    const [left, segment] = [this.#directory, this.#segment]
    this.#directory = new WriterDirectory(this.#place, this.#epoch + 1, linesBefore)
    this.#epoch++
    this.#segment = undefined
    batch.written = 0
    await segment?.file.close().catch(() => {})
    await left.abandon()
    return this.#directory.path
  }

  /**
   * Begins an epoch of its own for the last lines at the end of the process: a write that is in progress may or may not reach
   * its segment, and the transport skips the lines that it finds there. No bound of the disk holds for them.
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @throws if the directory cannot be created
   */
  beginLast(linesBefore: number): ImmediateFiles {
    const limits = { ...this.#place.limits, diskBytes: Number.POSITIVE_INFINITY }
    const last = new ImmediateFiles({ ...this.#place, limits }, this.#epoch + 1, linesBefore)
    this.#directory.abandonNow()
    return last
  }

  async close(): Promise<void> {
    await this.#segment?.file.close()
    this.#directory.release()
  }

  #check(): Promise<void> {
    return this.#directory.check(this.#segment?.number)
  }

  /**
   * Returns the segment to append to, a new one if the last is full. The rest of a begun batch goes to the same segment:
   * a line must not span two.
   * @throws if the disk bound is reached
   */
  async #roomFor({ bytes: { length }, written }: Batch) {
    const isBegun = written > 0
    if (this.isFull && !isBegun) throw new Error(DISK_LIMIT)
    const { segmentBytes, diskBytes } = this.#place.limits
    if (this.#segment && (isBegun || this.#segment.bytes + length <= segmentBytes)) return this.#segment
    const needed = (await this.#directory.segmentBytes()) + Math.max(length, segmentBytes)
    if (needed > diskBytes) throw new Error(DISK_LIMIT)
    const created = await this.#directory.createSegment((this.#segment?.number ?? 0) + 1)
    const full = this.#segment
    this.#segment = { ...created, bytes: 0 }
    await full?.file.close()
    return this.#segment
  }
}
