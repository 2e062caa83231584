import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { segmentName } from './protocol.ts'

/** Where in the segments of a writer to go on. */
export interface Position {
  readonly segment: number
  readonly offset: number
  /** Which segment to go on with after this one, where those between were dropped. */
  readonly resume?: number
}

export const beginning: Position = { segment: 1, offset: 0 }

export interface Lines {
  readonly lines: readonly string[]
  /** Where the line after the last of them begins. */
  readonly next: Position
}

const CHUNK_BYTES = 512 * 1024
/** A longer line is cut; what it holds beyond is skipped, not read into memory. */
const MAX_LINE_BYTES = 1024 * 1024
const NEWLINE = 10

/**
 * The whole lines that begin at a position, up to about half a MiB of them; none when nothing new is there.
 * @param isComplete whether anything can still be appended to the segment; at the end of a complete one, half a line
 * counts as a line and the next segment is gone on with
 * @param following the segment to continue with after this one
 * @param isListed whether the segment was just there: if it cannot be opened, its directory was renamed since, and the
 * next look finds it
 */
export async function readLines(
  directory: string,
  from: Position,
  isComplete: boolean,
  following = from.segment + 1,
  isListed = false,
): Promise<Lines> {
  const file = await openSegment(directory, from.segment)
  if (!file) return { lines: [], next: isComplete && !isListed ? { segment: following, offset: 0 } : from }
  try {
    const chunk = await readChunk(file, from.offset, CHUNK_BYTES)
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end > 0)
      return { lines: splitLines(chunk.subarray(0, end)), next: { ...from, offset: from.offset + end } }
    if (chunk.length === CHUNK_BYTES) return await readLongLine(file, from, isComplete, following)
    if (!isComplete) return { lines: [], next: from }
    const torn = chunk.length > 0 ? [chunk.toString()] : []
    return { lines: torn, next: { segment: following, offset: 0 } }
  } finally {
    await file.close()
  }
}

/** A line that is longer than a chunk: its beginning, up to a bound. */
async function readLongLine(
  file: FileHandle,
  from: Position,
  isComplete: boolean,
  following: number,
): Promise<Lines> {
  // Its beginning is read once its end is there: before, the writer may still be appending to it.
  const readBeginning = async (end: number) => [
    (await readChunk(file, from.offset, Math.min(end - from.offset, MAX_LINE_BYTES))).toString(),
  ]
  for (let offset = from.offset; ; offset += CHUNK_BYTES) {
    const chunk = await readChunk(file, offset, CHUNK_BYTES)
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

async function openSegment(directory: string, number: number): Promise<FileHandle | undefined> {
  try {
    return await open(join(directory, segmentName(number)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readChunk(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, offset)
  return buffer.subarray(0, bytesRead)
}

const splitLines = (bytes: Buffer): string[] => bytes.toString().slice(0, -1).split('\n')
