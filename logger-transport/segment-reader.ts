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

/** Size of the memory into which lines are read. A longer line is cut at this size, and its rest is skipped. */
const CHUNK_BYTES = 2 ** 20
/** Short lines would need much more memory than their bytes. */
const MAX_LINES = 8192
const NEWLINE = 10

/** Reads the segments of writers, one chunk at a time, into memory that it uses again and again. */
export class SegmentReader {
  readonly #memory = Buffer.allocUnsafeSlow(CHUNK_BYTES)

  /**
   * Reads whole lines from a position on, about a MiB of them at most. It returns no lines if there are no new ones.
   * Lines without text are passed over. Calls must not overlap.
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
    const afterSegment = { segment: following, offset: 0 }
    const file = await openSegment(directory, from.segment)
    if (!file) return { lines: [], next: isComplete && !isListed ? afterSegment : from }
    try {
      const chunk = await this.#readChunk(file, from.offset)
      const end = chunk.lastIndexOf(NEWLINE) + 1
      if (end > 0) {
        const { lines, bytes } = splitLines(chunk.subarray(0, end), Math.min(maxLines, MAX_LINES))
        return { lines, next: { ...from, offset: from.offset + bytes } }
      }
      const beginning = chunk.toString()
      const isCut = chunk.length === CHUNK_BYTES
      const newline = isCut ? await this.#findNewline(file, from.offset + CHUNK_BYTES) : undefined
      if (newline !== undefined) return { lines: [beginning], next: { ...from, offset: newline + 1 } }
      if (!isComplete) return { lines: [], next: from }
      return { lines: [beginning].filter(hasText), next: afterSegment }
    } finally {
      await file.close()
    }
  }

  /** @returns the offset of the next newline in a file; undefined if there is none */
  async #findNewline(file: FileHandle, from: number): Promise<number | undefined> {
    for (let offset = from; ; offset += CHUNK_BYTES) {
      const chunk = await this.#readChunk(file, offset)
      const newline = chunk.indexOf(NEWLINE)
      if (newline >= 0) return offset + newline
      if (chunk.length < CHUNK_BYTES) return undefined
    }
  }

  /** Fills the memory from a file, and returns the part of it that was filled. */
  async #readChunk(file: FileHandle, offset: number): Promise<Buffer> {
    const { bytesRead } = await file.read(this.#memory, 0, CHUNK_BYTES, offset)
    return this.#memory.subarray(0, bytesRead)
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
