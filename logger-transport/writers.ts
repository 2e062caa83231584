import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Followed } from './checkpoint.ts'
import type { Liveness } from './liveness.ts'
import {
  CLOSED_FILE,
  deletedName,
  directoryName,
  type Epoch,
  endedName,
  isDeleted,
  isGone,
  parseDirectoryName,
  QUARANTINE,
  segmentName,
  segmentNumber,
} from './protocol.ts'
import { isReplaced, type Quarantine } from './quarantine.ts'
import { readSmall } from './regular-file.ts'
import type { Position } from './segment-reader.ts'
import type { TakeOver } from './silence.ts'
import { type KnownInfo, readInfo } from './writer-info.ts'

/** A file `closed` is a number. */
const MAX_CLOSED_BYTES = 64
/** Number of earlier epochs that may still have to be read. */
const MAX_EARLIER = 1000

/** The state of one epoch of a writer, read from its directory. */
export interface Writer extends Epoch {
  readonly directory: string
  readonly info: KnownInfo
  /** Numbers of the segments in this directory, ascending. */
  readonly segments: readonly number[]
  /** Whether this epoch is over, so that nothing more is appended to its segments. */
  readonly closed: boolean
  /** Whether this epoch is over but the writer may continue in another epoch. */
  readonly mayReturn: boolean
  /** Number of lines that the writer reports to have written in all its epochs; 0 unless it has stopped in order. */
  readonly linesWritten: number
}

/** What is needed to list writers. */
export interface Listing {
  readonly logDirectory: string
  readonly liveness: Liveness
  readonly takeOver: TakeOver
  readonly quarantine: Quarantine
  /** Writes a line about the log directory to stderr, at most once a minute. */
  complain(line: string): void
}

/**
 * Lists all epochs of all writers that have a directory with a `writer.json`. A log directory that is missing or cannot
 * be read has none: its writers make it again, or somebody gives the permission back.
 */
export async function listWriters(listing: Listing): Promise<Writer[]> {
  const { logDirectory, liveness, complain } = listing
  const entries = await readdir(logDirectory, { withFileTypes: true }).catch(error => {
    complain(`logger-transport: ${logDirectory} cannot be read (${error.code}); its lines wait`)
    return []
  })
  const found = entries
    .filter(entry => entry.isDirectory() && entry.name !== QUARANTINE)
    .map(({ name }) => name)
  const names = found.filter(name => !isDeleted(name))
  // These directories were left by a transport that died while it deleted them.
  for (const name of found.filter(isDeleted)) await remove(join(logDirectory, name))
  const directories = names.map(name => join(logDirectory, name))
  liveness.keepOnly(directories)
  const writers = await Promise.all(names.map(name => readWriter(name, listing)))
  return writers.filter(writer => writer !== undefined)
}

async function readWriter(name: string, listing: Listing): Promise<Writer | undefined> {
  const { hasEnded, ...epoch } = parseDirectoryName(name)
  const directory = join(listing.logDirectory, name)
  try {
    const info = await readInfo(directory)
    const closing = await readSmall(join(directory, CLOSED_FILE), MAX_CLOSED_BYTES).catch(
      ({ code }: NodeJS.ErrnoException) => (code === 'ENOENT' ? undefined : ''),
    )
    const life = hasEnded || closing !== undefined ? 'dead' : await listing.liveness.ask(directory, info)
    const takeOver: TakeOver | undefined = life === 'unknown' ? listing.takeOver : undefined
    if (await takeOver?.(directory)) return readWriter(endedName(name), listing)
    // Segments are listed last: if the epoch was found to be over, nothing is appended to them after this listing.
    const segments = (await readdir(directory)).map(segmentNumber).filter(number => number !== undefined)
    return {
      ...epoch,
      directory,
      info,
      segments: segments.sort((a, b) => a - b),
      closed: life === 'dead',
      mayReturn: hasEnded,
      linesWritten: Math.trunc(Number(closing)) || 0,
    }
  } catch (error) {
    if (await isReplaced(error, listing.quarantine)) return readWriter(name, listing)
    if (!isGone(error))
      listing.complain(`logger-transport: ${directory} cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

/**
 * Tells whether all epochs before this one are read or gone. A directory that is renamed during a listing may be
 * missing from it. So an epoch that is not in the list is looked for under both its names, the name after the rename
 * last. Far earlier epochs are not looked for, because a foreign directory may have any number.
 */
export async function isNextEpoch(
  { instance, epoch, directory }: Writer,
  writers: readonly Writer[],
  position: (writer: Writer) => Position,
): Promise<boolean> {
  for (let number = Math.max(1, epoch - MAX_EARLIER); number < epoch; number++) {
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

/** Deletes the segments that wait for no target, and the whole directory of a writer that every target has finished. */
export async function tidy(writer: Writer, targets: readonly Followed[]): Promise<void> {
  const positions = targets.map(({ checkpoint }) => checkpoint.position(writer))
  if (!positions.every(position => isFinished(writer, position))) {
    const past = writer.segments.filter(number => !positions.some(position => isWaiting(number, position)))
    for (const number of past) await remove(segmentFile(writer, number))
    return
  }
  // The rename hides the directory at once. A half deleted one would look, to the reader for another target, as if
  // lines were missing.
  const deleted = deletedName(writer.directory)
  const isHidden = await rename(writer.directory, deleted).then(() => true, isGone)
  if (!isHidden) return
  await remove(deleted)
  for (const { checkpoint } of targets) await checkpoint.forget(writer)
}

/** What cannot be deleted now is deleted later, when it is found again. */
const remove = (path: string) => rm(path, { recursive: true, force: true }).catch(() => {})

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

/** Returns the number of bytes that wait for each target, by the target's name. */
export async function readLags(
  listing: Listing,
  followed: readonly Followed[],
): Promise<ReadonlyMap<string, number>> {
  const lags = new Map(followed.map(({ name }) => [name, 0]))
  for (const writer of await listWriters(listing)) {
    const sizes = await segmentSizes(writer)
    for (const { name, checkpoint } of followed)
      lags.set(name, (lags.get(name) as number) + bytesWaiting(sizes, checkpoint.position(writer)))
  }
  return lags
}
