import { closeSync, ftruncateSync, writeSync } from 'node:fs'
import type { Batch } from './batch.ts'
import { DISK_LIMIT, WriterDirectory, type WriterPlace } from './writer-directory.ts'

/**
 * Segments that are written at once, by calls that block: in threads that others can end at any time, and at the end of the
 * process, when nothing runs later. The last epoch of a writer, or all of them.
 */
export class ImmediateFiles {
  readonly #place: WriterPlace
  #directory: WriterDirectory
  #epoch: number
  #segment: { readonly fd: number; readonly number: number; bytes: number; isOver: boolean } | undefined

  /**
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @throws if the directory cannot be created
   */
  constructor(place: WriterPlace, epoch = 1, linesBefore = 0) {
    this.#place = place
    this.#epoch = epoch
    this.#directory = new WriterDirectory(place, epoch, linesBefore)
  }

  /**
   * As `SegmentFiles.append`.
   * @throws if the disk or its bound is full, or if a file or the directory is gone. Whole lines may have been written.
   */
  append(batch: Batch): void {
    const segment = this.#roomFor(batch.bytes.length - batch.written)
    try {
      while (batch.written < batch.bytes.length) {
        const bytes = writeSync(segment.fd, batch.bytes, batch.written)
        segment.bytes += bytes
        batch.written += bytes
      }
    } catch (error) {
      segment.bytes -= batch.backToLine()
      segment.isOver = segment.bytes > 0
      ftruncateSync(segment.fd, segment.bytes)
      throw error
    }
    this.#directory.checkNow(segment.number)
  }

  /** As `SegmentFiles.beginEpoch`. */
  beginEpoch(linesBefore: number): string {
    const left = this.#directory
    this.#epoch++
    this.#directory = new WriterDirectory(this.#place, this.#epoch, linesBefore)
    this.#closeSegment()
    left.abandonNow()
    left.release()
    return this.#directory.path
  }

  /** As `SegmentFiles.close`. */
  async close(lines: number): Promise<void> {
    this.#closeSegment()
    try {
      this.#directory.markEndNow(lines)
    } catch {
      // The transport finds that nobody listens any more, which has the same effect.
    } finally {
      this.#directory.release()
    }
  }

  #roomFor(length: number) {
    const { segmentBytes, diskBytes } = this.#place.limits
    const last = this.#segment
    if (last && !last.isOver && last.bytes + length <= segmentBytes) return last
    if (this.#directory.segmentBytesNow() + Math.max(length, segmentBytes) > diskBytes)
      throw new Error(DISK_LIMIT)
    const number = (last?.number ?? 0) + 1
    const fd = this.#directory.createSegmentNow(number)
    this.#closeSegment()
    this.#segment = { fd, number, bytes: 0, isOver: false }
    return this.#segment
  }

  #closeSegment(): void {
    if (this.#segment) closeSync(this.#segment.fd)
    this.#segment = undefined
  }
}
