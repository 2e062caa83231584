import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { segmentName } from './protocol.ts'

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
const NEWLINE = 10

/** Reads the segments of writers, one chunk at a time, into memory that it uses again and again. */
export class SegmentReader {
  readonly #memory = Buffer.allocUnsafeSlow(CHUNK_BYTES)

  /**
   * Reads whole lines from a position on, about half a MiB of them at most, or one line that is longer. It returns no
   * lines if there are no new ones. Calls must not overlap.
   * @param isComplete whether nothing more can be appended to the segment. At the end of a complete segment, half a
   * line counts as a line, and reading continues with the following segment.
   * @param following the number of the segment to continue with after this one
   * @param isListed whether the segment was in the last listing of the directory. If it cannot be opened all the same,
   * the directory was renamed after the listing, and the next listing will contain it.
   */
  async readLines(
    directory: string,
    from: Position,
    isComplete: boolean,
    following = from.segment + 1,
    isListed = false,
  ): Promise<Lines> {
    const file = await openSegment(directory, from.segment)
    if (!file) return { lines: [], next: isComplete && !isListed ? { segment: following, offset: 0 } : from }
    try {
      const chunk = await readChunk(file, from.offset, this.#memory)
      const end = chunk.lastIndexOf(NEWLINE) + 1
      if (end > 0)
        return { lines: splitLines(chunk.subarray(0, end)), next: { ...from, offset: from.offset + end } }
      if (chunk.length === CHUNK_BYTES) return await this.#readLongLine(file, from, isComplete, following)
      if (!isComplete) return { lines: [], next: from }
      const torn = chunk.length > 0 ? [chunk.toString()] : []
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
    return await open(join(directory, segmentName(number)))
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

const splitLines = (bytes: Buffer): string[] => bytes.toString().slice(0, -1).split('\n')
