import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { hasText, segmentName } from './protocol.ts'
import { openRegular } from './regular-file.ts'

/** A position in the segments of a writer: the number of a segment, and an offset in bytes. */
export interface Position {
  readonly segment: number
  readonly offset: number
  /** The segment to continue with after this one, if the segments between them were dropped. */
  readonly resume?: number
}

export const beginning: Position = { segment: 1, offset: 0 }

export interface Lines {
  readonly lines: readonly string[]
  /** The position after the last of these lines. */
  readonly next: Position
}

const CHUNK_BYTES = 512 * 1024
/** A longer line is cut at this size. Its rest is skipped and never held in memory as a whole. */
const MAX_LINE_BYTES = 1024 * 1024
/** Short lines would need much more memory than their bytes. */
const MAX_LINES = 8192
const NEWLINE = 10

/** Reads the segments of writers, one chunk at a time, into memory that it uses again and again. */
export class SegmentReader {
  readonly #memory = Buffer.allocUnsafeSlow(CHUNK_BYTES)

  /**
   * Reads whole lines from a position on, about half a MiB of them at most, or one line that is longer. It returns no
   * lines if there are no new ones. Lines without text are passed over. Calls must not overlap.
   * @param isComplete whether nothing more can be appended to the segment. At the end of a complete segment, half a
   * line counts as a line, and reading continues with the following segment.
   * @param following the number of the segment to continue with after this one
   * @param isListed whether the segment was in the last listing of the directory. If it cannot be opened all the same,
   * the directory was renamed after the listing, and the next listing will contain it.
   * @param maxLines the largest number of lines
   * @throws if the segment cannot be read
   */
  async readLines(
    directory: string,
    from: Position,
    isComplete: boolean,
    following = from.segment + 1,
    isListed = false,
    maxLines = MAX_LINES,
  ): Promise<Lines> {
    const file = await openSegment(directory, from.segment)
    if (!file) return { lines: [], next: isComplete && !isListed ? { segment: following, offset: 0 } : from }
    try {
      const chunk = await readChunk(file, from.offset, this.#memory)
      const end = chunk.lastIndexOf(NEWLINE) + 1
      if (end > 0) {
        const { lines, bytes } = splitLines(chunk.subarray(0, end), Math.min(maxLines, MAX_LINES))
        return { lines, next: { ...from, offset: from.offset + bytes } }
      }
      if (chunk.length === CHUNK_BYTES) return await this.#readLongLine(file, from, isComplete, following)
      if (!isComplete) return { lines: [], next: from }
      const torn = [chunk.toString()].filter(hasText)
      return { lines: torn, next: { segment: following, offset: 0 } }
    } finally {
      await file.close()
    }
  }

  /** Reads a line that is longer than a chunk. It returns the beginning of the line, up to `MAX_LINE_BYTES`. */
  async #readLongLine(
    file: FileHandle,
    from: Position,
    isComplete: boolean,
    following: number,
  ): Promise<Lines> {
    // The beginning is read after the end was found, because before that the writer may still be appending to the line.
    const readBeginning = async (end: number) => {
      const memory = Buffer.allocUnsafe(Math.min(end - from.offset, MAX_LINE_BYTES))
      return [(await readChunk(file, from.offset, memory)).toString()]
    }
    for (let offset = from.offset; ; offset += CHUNK_BYTES) {
      const chunk = await readChunk(file, offset, this.#memory)
      const newline = chunk.indexOf(NEWLINE)
      if (newline >= 0) {
        const end = offset + newline
        return { lines: await readBeginning(end), next: { ...from, offset: end + 1 } }
      }
      if (chunk.length < CHUNK_BYTES) {
        if (!isComplete) return { lines: [], next: from }
        const lines = await readBeginning(offset + chunk.length)
        return { lines, next: { segment: following, offset: 0 } }
      }
    }
  }
}

async function openSegment(directory: string, number: number): Promise<FileHandle | undefined> {
  try {
    return await openRegular(join(directory, segmentName(number)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Fills the memory from a file, and returns the part of it that was filled. */
async function readChunk(file: FileHandle, offset: number, memory: Buffer): Promise<Buffer> {
  const { bytesRead } = await file.read(memory, 0, memory.length, offset)
  return memory.subarray(0, bytesRead)
}

/** @returns the lines that have text, at most `maxLines` of them, and the number of bytes up to their end */
function splitLines(whole: Buffer, maxLines: number): { lines: string[]; bytes: number } {
  // Runs of newlines are one before the text is split, because a list of empty lines would take much memory.
  const lines = whole
    .toString()
    .replace(/\n{2,}/g, '\n')
    .split('\n')
    .filter(hasText)
  if (lines.length <= maxLines) return { lines, bytes: whole.length }
  let bytes = 0
  for (let count = 0; count < maxLines; ) {
    const end = whole.indexOf(NEWLINE, bytes) + 1
    if (hasText(whole.toString('utf8', bytes, end))) count++
    bytes = end
  }
  return { lines: lines.slice(0, maxLines), bytes }
}
