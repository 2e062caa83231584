import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Liveness } from './liveness.ts'
import {
  CLOSED_FILE,
  directoryName,
  type Epoch,
  endedName,
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
  const names = entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
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

/** @throws when there is no WriterInfo */
async function readInfo(directory: string): Promise<WriterInfo> {
  const { resource, boot, linesBefore } = JSON.parse(await readFile(join(directory, WRITER_FILE), 'utf8'))
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    throw new TypeError('a resource is an object')
  return {
    resource,
    boot: typeof boot === 'string' ? boot : null,
    linesBefore: Number.isSafeInteger(linesBefore) && linesBefore > 0 ? linesBefore : 0,
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

/** Deletes the segments that every target is past, and the whole directory of a writer that is finished. */
export async function deleteDelivered(writer: Writer, positions: readonly Position[]): Promise<boolean> {
  if (positions.every(position => isFinished(writer, position))) {
    await rm(writer.directory, { recursive: true, force: true })
    return true
  }
  const needed = Math.min(...positions.map(({ segment }) => segment))
  for (const number of writer.segments.filter(each => each < needed)) {
    await rm(join(writer.directory, segmentName(number)), { force: true })
  }
  return false
}

/** Bytes in a writer's segments beyond a position. */
export async function bytesBeyond(
  { directory, segments }: Writer,
  { segment, offset }: Position,
): Promise<number> {
  const sizes = segments
    .filter(number => number >= segment)
    .map(number =>
      stat(join(directory, segmentName(number))).then(
        ({ size }) => size,
        () => 0,
      ),
    )
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0) - offset
}
