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

/** An epoch of a writer as its directory shows it. */
export interface Writer extends Epoch {
  readonly directory: string
  readonly info: WriterInfo
  /** Numbers of its segments, ascending. */
  readonly segments: readonly number[]
  /** Whether this epoch is over: nothing is appended any more. */
  readonly closed: boolean
  /** Whether the writer may go on in another epoch, though this one is over. */
  readonly mayReturn: boolean
  /** Lines that the writer says that it has written in all its epochs; 0 unless it has ended in order. */
  readonly linesWritten: number
}

/** Every epoch of a writer that has a directory with its `writer.json`. */
export async function listWriters(logDirectory: string, liveness: Liveness): Promise<Writer[]> {
  const entries = await readdir(logDirectory, { withFileTypes: true }).catch(ignoreMissing)
  const found = entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
  const names = found.filter(name => !isDeleted(name))
  // Of a transport that died while it deleted.
  for (const name of found.filter(isDeleted)) await remove(join(logDirectory, name))
  liveness.keepOnly(names.map(name => join(logDirectory, name)))
  const writers = await Promise.all(names.map(name => readWriter(logDirectory, name, liveness)))
  return writers.filter(writer => writer !== undefined)
}

/** Someone may have removed the whole directory; the next writer makes it again. */
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
    // Read last: nothing is appended any more to what is listed after it was found to be over.
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
    // Not (yet, or any more) a writer's directory.
    return undefined
  }
}

/** From now on the writer does not find its segments, and writes elsewhere. */
const takeOver = (directory: string) =>
  rename(directory, endedName(directory)).then(
    () => true,
    () => false,
  )

/** @throws when there is no WriterInfo; a writer that tells no bound of its disk has none */
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
 * Whether all epochs before this one are read, or gone. A directory that is renamed while others are listed may be in no
 * list, so one that is not listed is looked for under both its names, the second last.
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

/** Whether nothing can be appended to a segment any more. */
export const isComplete = ({ segments, closed }: Writer, number: number): boolean =>
  closed || number < (segments.at(-1) ?? 0)

/** Whether all that a closed writer wrote lies before a position. */
export const isFinished = ({ segments, closed }: Writer, { segment }: Position): boolean =>
  closed && segment > (segments.at(-1) ?? 0)

/** Whether a segment is, in part at least, still to be delivered to a target that has got as far as a position. */
export const isWaiting = (number: number, { segment, resume = 0 }: Position): boolean =>
  number === segment || number > Math.max(segment, resume - 1)

/** Deletes the segments that wait for no target, and the whole directory of a writer that is finished. */
export async function deleteDelivered(writer: Writer, positions: readonly Position[]): Promise<boolean> {
  if (positions.every(position => isFinished(writer, position))) {
    // At once for whoever reads it just now for another target: half a directory looks like one whose lines are missing.
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

/** Bytes of each segment of a writer; one that was just deleted has none. */
export async function segmentSizes(writer: Writer): Promise<ReadonlyMap<number, number>> {
  const sizes = writer.segments.map(async number => {
    const found = await stat(segmentFile(writer, number)).catch(() => undefined)
    return [number, found?.size ?? 0] as const
  })
  return new Map(await Promise.all(sizes))
}

/** Bytes in segments that wait for a target. */
export const bytesWaiting = (sizes: ReadonlyMap<number, number>, position: Position): number =>
  [...sizes]
    .filter(([number]) => isWaiting(number, position))
    .reduce(
      (total, [number, bytes]) => total + bytes - (number === position.segment ? position.offset : 0),
      0,
    )

export const segmentFile = ({ directory }: Writer, number: number): string =>
  join(directory, segmentName(number))
