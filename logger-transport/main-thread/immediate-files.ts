import { closeSync, ftruncateSync, writeSync } from 'node:fs'
import { DISK_LIMIT, WriterDirectory, type WriterPlace } from './writer-directory.ts'

/**
 * Segments that are written at once, by calls that block: in threads that others can end at any time, and at the end of the
 * process, when nothing runs later. The last epoch of a writer, or all of them.
 */
export class ImmediateFiles {
  readonly #place: WriterPlace
  #directory: WriterDirectory
  #epoch: number
  #segment: { readonly fd: number; readonly number: number; bytes: number } | undefined

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
   * Appends whole lines; all of them or none.
   * @throws if the disk bound is reached, or if a file or the directory is gone
   */
  append(lines: Buffer): void {
    const segment = this.#roomFor(lines.length)
    try {
      for (let written = 0; written < lines.length; ) written += writeSync(segment.fd, lines, written)
    } catch (error) {
      ftruncateSync(segment.fd, segment.bytes)
      throw error
    }
    segment.bytes += lines.length
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

  /** @param lines as for `SegmentFiles.markEnd` */
  close(lines: number): void {
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
    if (this.#segment && this.#segment.bytes + length <= segmentBytes) return this.#segment
    if (this.#directory.segmentBytesNow() + Math.max(length, segmentBytes) > diskBytes)
      throw new Error(DISK_LIMIT)
    const number = (this.#segment?.number ?? 0) + 1
    const fd = this.#directory.createSegmentNow(number)
    this.#closeSegment()
    this.#segment = { fd, number, bytes: 0 }
    return this.#segment
  }

  #closeSegment(): void {
    if (this.#segment) closeSync(this.#segment.fd)
    this.#segment = undefined
  }
}
