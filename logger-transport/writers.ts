import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Liveness } from './liveness.ts'
import {
  CLOSED_FILE,
  deletedName,
  directoryName,
  type Epoch,
  endedName,
  isDeleted,
  parseDirectoryName,
  segmentName,
  segmentNumber,
  WRITER_FILE,
  type WriterInfo,
} from './protocol.ts'
import type { Position } from './segment-reader.ts'

/** The state of one epoch of a writer, read from its directory. */
export interface Writer extends Epoch {
  readonly directory: string
  readonly info: WriterInfo
  /** Numbers of the segments in this directory, ascending. */
  readonly segments: readonly number[]
  /** Whether this epoch is over, so that nothing more is appended to its segments. */
  readonly closed: boolean
  /** Whether this epoch is over but the writer may continue in another epoch. */
  readonly mayReturn: boolean
  /** Number of lines that the writer reports to have written in all its epochs; 0 unless it has stopped in order. */
  readonly linesWritten: number
}

/** Lists all epochs of all writers that have a directory with a `writer.json`. */
export async function listWriters(logDirectory: string, liveness: Liveness): Promise<Writer[]> {
  const entries = await readdir(logDirectory, { withFileTypes: true }).catch(ignoreMissing)
  const found = entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
  const names = found.filter(name => !isDeleted(name))
  // These directories were left by a transport that died while it deleted them.
  for (const name of found.filter(isDeleted)) await remove(join(logDirectory, name))
  liveness.keepOnly(names.map(name => join(logDirectory, name)))
  const writers = await Promise.all(names.map(name => readWriter(logDirectory, name, liveness)))
  return writers.filter(writer => writer !== undefined)
}

/** Ignores a missing log directory: someone may have removed it, and the next writer creates it again. */
function ignoreMissing(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error
  return []
}

async function readWriter(
  logDirectory: string,
  name: string,
  liveness: Liveness,
): Promise<Writer | undefined> {
  const { hasEnded, ...epoch } = parseDirectoryName(name)
  const found = join(logDirectory, name)
  try {
    const info = await readInfo(found)
    const closing = await readFile(join(found, CLOSED_FILE), 'utf8').catch(() => undefined)
    const life = hasEnded || closing !== undefined ? 'dead' : await liveness.ask(found, info)
    const isTaken = life === 'silent' && (await takeOver(found))
    const directory = isTaken ? endedName(found) : found
    // Segments are listed last: if the epoch was found to be over, nothing is appended to them after this listing.
    const segments = (await readdir(directory)).map(segmentNumber).filter(number => number !== undefined)
    return {
      ...epoch,
      directory,
      info,
      segments: segments.sort((a, b) => a - b),
      closed: life === 'dead' || isTaken,
      mayReturn: hasEnded || isTaken,
      linesWritten: Math.trunc(Number(closing)) || 0,
    }
  } catch {
    // The directory is not a writer's directory yet, or not any more.
    return undefined
  }
}

/** Renames a writer's directory. The writer then does not find its segments and continues in another directory. */
const takeOver = (directory: string) =>
  rename(directory, endedName(directory)).then(
    () => true,
    () => false,
  )

/**
 * Reads a writer's `writer.json`. A missing `diskBytes` means that the writer has no disk bound.
 * @throws if the file is missing or contains no `WriterInfo`
 */
async function readInfo(directory: string): Promise<WriterInfo> {
  const text = await readFile(join(directory, WRITER_FILE), 'utf8')
  const { resource, boot, linesBefore, diskBytes } = JSON.parse(text)
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    throw new TypeError('a resource is an object')
  return {
    resource,
    boot: typeof boot === 'string' ? boot : null,
    linesBefore: Number.isSafeInteger(linesBefore) && linesBefore > 0 ? linesBefore : 0,
    diskBytes: diskBytes > 0 ? Number(diskBytes) : Number.POSITIVE_INFINITY,
  }
}

/**
 * Tells whether all epochs before this one are read or gone. A directory that is renamed during a listing may be
 * missing from it. So an epoch that is not in the list is looked for under both its names, the name after the rename
 * last.
 */
export async function isNextEpoch(
  { instance, epoch, directory }: Writer,
  writers: readonly Writer[],
  position: (writer: Writer) => Position,
): Promise<boolean> {
  for (let number = 1; number < epoch; number++) {
    const earlier = writers.find(each => each.instance === instance && each.epoch === number)
    if (earlier && !isFinished(earlier, position(earlier))) return false
    const path = join(directory, '..', directoryName({ instance, epoch: number }))
    if (!earlier && ((await isWriter(path)) || (await isWriter(endedName(path))))) return false
  }
  return true
}

const isWriter = (directory: string) =>
  readInfo(directory).then(
    () => true,
    () => false,
  )

/** Tells whether nothing more can be appended to a segment. */
export const isComplete = ({ segments, closed }: Writer, number: number): boolean =>
  closed || number < (segments.at(-1) ?? 0)

/** Tells whether a writer is closed and everything that it wrote lies before a position. */
export const isFinished = ({ segments, closed }: Writer, { segment }: Position): boolean =>
  closed && segment > (segments.at(-1) ?? 0)

/** Tells whether a segment, or a part of it, still waits for a target with this position. */
export const isWaiting = (number: number, { segment, resume = 0 }: Position): boolean =>
  number === segment || number > Math.max(segment, resume - 1)

/**
 * Deletes the segments that wait for no target. If every target has finished the writer, deletes its whole directory.
 * @returns whether the whole directory was deleted
 */
export async function deleteDelivered(writer: Writer, positions: readonly Position[]): Promise<boolean> {
  if (positions.every(position => isFinished(writer, position))) {
    // The rename hides the directory at once. A half deleted one would look, to the reader for another target, as if
    // lines were missing.
    const deleted = deletedName(writer.directory)
    await rename(writer.directory, deleted).catch(() => {})
    await remove(deleted)
    return true
  }
  const past = writer.segments.filter(number => !positions.some(position => isWaiting(number, position)))
  for (const number of past) await rm(segmentFile(writer, number), { force: true })
  return false
}

const remove = (directory: string) => rm(directory, { recursive: true, force: true })

/**
 * Returns the size in bytes of each segment of a writer, by its number. A segment that was just deleted counts as 0.
 */
export async function segmentSizes(writer: Writer): Promise<ReadonlyMap<number, number>> {
  const sizes = writer.segments.map(async number => {
    const found = await stat(segmentFile(writer, number)).catch(() => undefined)
    return [number, found?.size ?? 0] as const
  })
  return new Map(await Promise.all(sizes))
}

/** Returns the number of bytes in segments that wait for a target with this position. */
export const bytesWaiting = (sizes: ReadonlyMap<number, number>, position: Position): number =>
  [...sizes]
    .filter(([number]) => isWaiting(number, position))
    .reduce(
      (total, [number, bytes]) => total + bytes - (number === position.segment ? position.offset : 0),
      0,
    )

export const segmentFile = ({ directory }: Writer, number: number): string =>
  join(directory, segmentName(number))
