import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ABANDONED_AFTER_MS,
  CLOSED_FILE,
  segmentName,
  segmentNumber,
  WRITER_FILE,
  type WriterInfo,
} from './protocol.ts'
import type { Position } from './segment-reader.ts'

/** A writer as its directory shows it. */
export interface Writer {
  readonly instance: string
  readonly directory: string
  readonly info: WriterInfo
  /** Numbers of its segments, ascending. */
  readonly segments: readonly number[]
  /** Whether it has ended: in order, or silent for so long that it must be dead. */
  readonly closed: boolean
}

/** Every writer that has a directory with its `writer.json`. */
export async function listWriters(logDirectory: string): Promise<Writer[]> {
  const entries = await readdir(logDirectory, { withFileTypes: true })
  const directories = entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
  const writers = await Promise.all(directories.map(name => readWriter(join(logDirectory, name), name)))
  return writers.filter(writer => writer !== undefined)
}

async function readWriter(directory: string, instance: string): Promise<Writer | undefined> {
  try {
    // These are looked for first: what is listed after them is all there will be.
    const closed =
      (await exists(join(directory, CLOSED_FILE))) || (await isAbandoned(join(directory, WRITER_FILE)))
    const names = await readdir(directory)
    const info = readInfo(await readFile(join(directory, WRITER_FILE), 'utf8'))
    const segments = names.map(segmentNumber).filter(number => number !== undefined)
    return { instance, directory, info, segments: segments.sort((a, b) => a - b), closed }
  } catch {
    // Not (yet, or any more) a writer's directory.
    return undefined
  }
}

/** @throws when the text is no WriterInfo; one that says nothing of its disk has no bound */
function readInfo(text: string): WriterInfo {
  const { resource, diskBytes } = JSON.parse(text)
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource))
    throw new TypeError('a resource is an object')
  return { resource, diskBytes: diskBytes > 0 ? Number(diskBytes) : Number.POSITIVE_INFINITY }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** A writer touches its file as long as it lives; one that was killed does not. */
const isAbandoned = async (writerFile: string) =>
  Date.now() - (await stat(writerFile)).mtimeMs > ABANDONED_AFTER_MS

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
    await rm(writer.directory, { recursive: true, force: true })
    return true
  }
  const past = writer.segments.filter(number => !positions.some(position => isWaiting(number, position)))
  for (const number of past) await rm(segmentFile(writer, number), { force: true })
  return false
}

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
