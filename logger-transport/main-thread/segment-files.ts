import { isGone } from '../protocol.ts'
import { Batch } from './batch.ts'
import { type Files, now, type OpenFile, type Steps, wait } from './steps.ts'
import { DISK_LIMIT, WriterDirectory, type WriterPlace } from './writer-directory.ts'

/** The segments of a writer, in the directory of its present epoch. */
export class SegmentFiles {
  readonly #place: WriterPlace
  readonly #files: Files
  #directory: WriterDirectory
  #epoch: number
  #segment: { file: OpenFile; number: number; bytes: number; isOver: boolean } | undefined

  /**
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @throws if the directory cannot be created
   */
  constructor(place: WriterPlace, files: Files, epoch = 1, linesBefore = 0) {
    this.#place = place
    this.#files = files
    this.#epoch = epoch
    this.#directory = new WriterDirectory(place, files, epoch, linesBefore)
  }

  /**
   * Appends the rest of a batch, and ends after the segment was found at its path. A segment that finds no room is over:
   * the transport can delete it once it is delivered, and so make room for the next one.
   * @throws if the disk or its bound is full, or if a file or the directory is gone
   */
  *append(batch: Batch): Steps<void> {
    if (batch.isTorn) yield* this.#takeBack(batch)
    const segment = yield* this.#roomFor(batch)
    try {
      while (batch.written < batch.bytes.length) {
        const { bytesWritten } = yield* wait(segment.file.write(batch.bytes, batch.written))
        segment.bytes += bytesWritten
        batch.written += bytesWritten
      }
    } catch (error) {
      segment.isOver = segment.bytes > 0
      try {
        yield* this.#takeBack(batch)
      } catch {
        // It is tried again before the next line is written.
      }
      throw error
    }
    yield* this.#directory.check(segment.number)
  }

  /** Cuts half a line off the end of the segment, because a line must not span two. */
  *#takeBack(batch: Batch): Steps<void> {
    const [segment, written] = [this.#segment, batch.written]
    if (!segment) return
    const bytes = segment.bytes - batch.backToLine()
    try {
      yield* wait(segment.file.truncate(bytes))
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
  *close(lines: number): Steps<void> {
    try {
      yield* this.#markEnd(lines)
    } catch (error) {
      if (!isGone(error)) throw error
      yield* this.beginEpoch(lines, new Batch())
      yield* this.#markEnd(lines)
    } finally {
      if (this.#segment) yield* wait(this.#segment.file.close())
      this.#directory.release()
    }
  }

  /**
   * Continues in a new directory with the whole batch, because the old directory may lack it.
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @returns the path of the new directory
   * @throws if the directory cannot be created
   */
  *beginEpoch(linesBefore: number, batch: Batch): Steps<string> {
    const [left, segment] = [this.#directory, this.#segment]
    this.#directory = new WriterDirectory(this.#place, this.#files, this.#epoch + 1, linesBefore)
    this.#epoch++
    this.#segment = undefined
    batch.written = 0
    try {
      if (segment) yield* wait(segment.file.close())
    } catch {
      // Nothing more is written to it.
    }
    yield* left.abandon(this.#files)
    left.release()
    return this.#directory.path
  }

  /**
   * Begins an epoch of its own for the last lines at the end of the process: a write that is in progress may or may not reach
   * its segment, and the transport skips the lines that it finds there. No bound of the disk holds for them.
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @throws if the directory cannot be created
   */
  *beginLast(linesBefore: number): Steps<SegmentFiles> {
    const limits = { ...this.#place.limits, diskBytes: Number.POSITIVE_INFINITY }
    const last = new SegmentFiles({ ...this.#place, limits }, now, this.#epoch + 1, linesBefore)
    yield* this.#directory.abandon(now)
    return last
  }

  *#markEnd(lines: number): Steps<void> {
    yield* this.#directory.check(this.#segment?.number)
    yield* this.#directory.markEnd(lines)
  }

  /**
   * Returns the segment to append to, a new one if the last is full or over.
   * @throws if the disk bound is reached
   */
  *#roomFor({ bytes, written }: Batch) {
    const length = bytes.length - written
    const { segmentBytes, diskBytes } = this.#place.limits
    const last = this.#segment
    if (last && !last.isOver && last.bytes + length <= segmentBytes) return last
    const needed = (yield* this.#directory.segmentBytes()) + Math.max(length, segmentBytes)
    if (needed > diskBytes) throw new Error(DISK_LIMIT)
    const created = yield* this.#directory.createSegment((last?.number ?? 0) + 1)
    this.#segment = { ...created, bytes: 0, isOver: false }
    if (last) yield* wait(last.file.close())
    return this.#segment
  }
}
