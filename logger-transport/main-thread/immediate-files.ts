import { closeSync, ftruncateSync, writeSync } from 'node:fs'
import type { WriterInfo } from '../protocol.ts'
import type { SegmentLimits } from './segment-limits.ts'
import { DISK_LIMIT, WriterDirectory } from './writer-directory.ts'

/**
 * Segments that are written at once, by calls that block: in threads that others can end at any time, and at the end of the
 * process, when nothing runs later. The last epoch of a writer, or all of them.
 */
export class ImmediateFiles {
  readonly #logDirectory: string
  readonly #resource: WriterInfo['resource']
  readonly #limits: SegmentLimits
  #directory: WriterDirectory
  #epoch: number
  #segment: { readonly fd: number; readonly number: number; bytes: number } | undefined

  /**
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @throws if the directory cannot be created
   */
  constructor(
    logDirectory: string,
    resource: WriterInfo['resource'],
    limits: SegmentLimits,
    epoch = 1,
    linesBefore = 0,
  ) {
    this.#logDirectory = logDirectory
    this.#resource = resource
    this.#limits = limits
    this.#epoch = epoch
    this.#directory = this.#makeDirectory(linesBefore)
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
    this.#directory = this.#makeDirectory(linesBefore)
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

  #makeDirectory(linesBefore: number): WriterDirectory {
    return WriterDirectory.ofEpoch(this.#logDirectory, this.#epoch, {
      resource: this.#resource,
      linesBefore,
      diskBytes: this.#limits.diskBytes,
    })
  }

  #roomFor(length: number) {
    const { segmentBytes, diskBytes } = this.#limits
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
