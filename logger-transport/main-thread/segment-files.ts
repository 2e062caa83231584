import type { FileHandle } from 'node:fs/promises'
import { isGone } from '../protocol.ts'
import { Batch } from './batch.ts'
import { ImmediateFiles } from './immediate-files.ts'
import { DISK_LIMIT, WriterDirectory, type WriterPlace } from './writer-directory.ts'

/** The segments of a writer, in the directory of its present epoch. */
export class SegmentFiles {
  readonly #place: WriterPlace
  #directory: WriterDirectory
  #epoch = 1
  #segment: { file: FileHandle; number: number; bytes: number; isOver: boolean } | undefined

  /** @throws if the directory cannot be created */
  constructor(place: WriterPlace) {
    this.#place = place
    this.#directory = new WriterDirectory(place, this.#epoch, 0)
  }

  /**
   * Appends the rest of a batch, and resolves after the segment was found at its path. A segment that finds no room is over:
   * the transport can delete it once it is delivered, and so make room for the next one.
   * @throws if the disk or its bound is full, or if a file or the directory is gone
   */
  async append(batch: Batch): Promise<void> {
    if (batch.isTorn) await this.#takeBack(batch)
    const segment = await this.#roomFor(batch)
    try {
      while (batch.written < batch.bytes.length) {
        const { bytesWritten } = await segment.file.write(batch.bytes, batch.written)
        segment.bytes += bytesWritten
        batch.written += bytesWritten
      }
    } catch (error) {
      segment.isOver = segment.bytes > 0
      // If this fails, it is tried again before the next line is written.
      await this.#takeBack(batch).catch(() => {})
      throw error
    }
    await this.#check()
  }

  /** Cuts half a line off the end of the segment, because a line must not span two. */
  async #takeBack(batch: Batch): Promise<void> {
    const [segment, written] = [this.#segment, batch.written]
    if (!segment) return
    const bytes = segment.bytes - batch.backToLine()
    try {
      await segment.file.truncate(bytes)
      segment.bytes = bytes
    } catch (error) {
      batch.written = written
      throw error
    }
  }

  /**
   * Marks that no further lines follow, in a new directory if this one is gone.
   * @param lines the number of lines in the segments of all epochs
   * @throws if that is not possible
   */
  async close(lines: number): Promise<void> {
    try {
      await this.#markEnd(lines).catch(async error => {
        if (!isGone(error)) throw error
        await this.beginEpoch(lines, new Batch())
        await this.#markEnd(lines)
      })
    } finally {
      await this.#segment?.file.close()
      this.#directory.release()
    }
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

  async #markEnd(lines: number): Promise<void> {
    await this.#check()
    await this.#directory.markEnd(lines)
  }

  #check(): Promise<void> {
    return this.#directory.check(this.#segment?.number)
  }

  /**
   * Returns the segment to append to, a new one if the last is full or over.
   * @throws if the disk bound is reached
   */
  async #roomFor({ bytes, written }: Batch) {
    const length = bytes.length - written
    const { segmentBytes, diskBytes } = this.#place.limits
    const last = this.#segment
    if (last && !last.isOver && last.bytes + length <= segmentBytes) return last
    const needed = (await this.#directory.segmentBytes()) + Math.max(length, segmentBytes)
    if (needed > diskBytes) throw new Error(DISK_LIMIT)
    const created = await this.#directory.createSegment((last?.number ?? 0) + 1)
    this.#segment = { ...created, bytes: 0, isOver: false }
    await last?.file.close()
    return this.#segment
  }
}
