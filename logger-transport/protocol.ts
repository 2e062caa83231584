import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Resource } from '../lib/telemetry/resource.ts'

/**
 * An app (the writer) hands its log lines to logger-transport (the transport) through files in one directory.
 *
 *   <log directory>/
 *     <instance>/              the directory of one writer, named after its instance
 *       writer.json            a WriterInfo; it exists before the first segment, and a living writer touches it
 *       alive                  a Unix socket; the writer listens on it as long as its process lives
 *       00000001.ndjson        a segment: a file of bounded size with whole lines of JSON; lines are only appended
 *       00000002.ndjson        the next segment; once it exists, nothing more is appended to the segment before it
 *       closed                 a mark: the writer has stopped in order and writes nothing more; the file contains the
 *                              number of lines that the writer wrote to the segments of all its epochs
 *     <instance>.2/            the second epoch of the same writer: its first directory had disappeared
 *     <instance>.2.ended/      an epoch that is over, while the writer may continue in a later one; transport or writer
 *                              renames the directory to this, and nothing more may be appended in it
 *     <instance>.deleted/      an epoch that every target has received, while the transport deletes it
 *
 * Each line has a field `sequence`, which numbers the lines of its thread from 1; the lines of a worker thread have its
 * `thread.id` too. A missing number is a line that was dropped; a repeated number is a line that was delivered twice. The
 * resource of a writer is the same for all its lines, so it is written once, to writer.json, and the transport adds it to
 * each line. Only the writer creates and extends files in its directory; only the transport deletes them.
 *
 * A writer is dead when no process listens on its socket any more. The kernel closes the socket when the process ends,
 * however it ends, and only after its last write. A process that is stopped, or that has a wrong clock, still listens.
 * The transport keeps its connection open, so each writer has to `accept` only once.
 *
 * Some writers cannot be asked: they run on another kernel, their file system has no sockets, or the path of the socket
 * would be too long. The transport believes that such a writer is dead when it has been silent for a long time. This
 * may be wrong, and then the writer continues. Another program may also remove its directory. Therefore the writer
 * checks after each batch of lines that the segment is still at its path, and keeps the batch in memory until then:
 *
 *     writer (its directory is a/)                      transport
 *     1. append the batch to a/00000001.ndjson          1. after a long silence, rename a/ to a.ended/ (atomic)
 *     2. check that a/00000001.ndjson exists            2. read a.ended/ to its end, then delete it
 *        yes: forget the batch                          3. once a/ and a.ended/ are read or gone, read a.2/, but
 *        no:  create a.2/, append the batch there          skip its first lines if a.ended/ contained them too
 *
 * The rename loses no line, whether the check or the rename comes first. If the check comes first, the batch is in the
 * directory before the rename, so the transport reads it in a.ended/. If the rename comes first, the writer does not
 * find its segment and writes the batch again, to a.2/; a.ended/ may contain the batch too. The field `linesBefore` of
 * the new epoch is the number of lines that the writer had forgotten when it created the epoch. The transport compares
 * it with the number of lines that it has read from earlier epochs. If the transport has read more, it has the start of
 * a.2/ already and skips the difference. If it has read fewer, someone removed segments before they were read, and the
 * transport counts the difference as lost.
 */
export interface WriterInfo {
  readonly resource: Resource
  /** The boot id of the writer's kernel, which identifies one start of one kernel; null if the kernel has none. */
  readonly boot: string | null
  /** Number of lines that the writer wrote to earlier epochs and had forgotten when this one began; 0 in the first. */
  readonly linesBefore: number
  /**
   * The writer's segments together never exceed this. When they reach it, lines wait in memory; then they are dropped.
   */
  readonly diskBytes: number
}

export const WRITER_FILE = 'writer.json'
export const CLOSED_FILE = 'closed'
const SOCKET_FILE = 'alive'
/** Linux puts a new random id into this file at each start of the kernel. */
export const BOOT_FILE = '/proc/sys/kernel/random/boot_id'

/** An epoch is the time that a writer spends in one directory. Epochs are numbered from 1. */
export interface Epoch {
  readonly instance: string
  readonly epoch: number
}

/** The path of a writer's socket: the shorter of two, because a system allows only about 100 bytes for it. */
export function socketPath(directory: string): string {
  const path = join(directory, SOCKET_FILE)
  try {
    const fromHere = relative(process.cwd(), path)
    return fromHere.length < path.length ? fromHere : path
  } catch {
    // The directory of this process was removed.
    return path
  }
}

export const directoryName = ({ instance, epoch }: Epoch): string =>
  epoch === 1 ? instance : `${instance}.${epoch}`

export const endedName = (directory: string): string => `${directory}${ENDED}`

/** The directory of what could not be read, below the log directory. No writer has this name. */
export const QUARANTINE = 'quarantine'

const ENDED = '.ended'
const DELETED = '.deleted'

/** The name of a directory while it is being deleted. */
export const deletedName = (directory: string): string => `${directory}${DELETED}`

export const isDeleted = (name: string): boolean => name.endsWith(DELETED)

/** Reads from the name of a directory its instance, its epoch, and whether that epoch is over. */
export function parseDirectoryName(name: string): Epoch & { readonly hasEnded: boolean } {
  const hasEnded = name.endsWith(ENDED)
  const own = hasEnded ? name.slice(0, -ENDED.length) : name
  const [, instance = own, epoch = '1'] = /^(.+)\.([2-9]|[1-9]\d{1,8})$/.exec(own) ?? []
  return { instance, epoch: Number(epoch), hasEnded }
}

export const segmentName = (number: number): string => `${String(number).padStart(8, '0')}.ndjson`

/** Returns the number in a segment's name, or undefined if the name is not that of a segment. */
export function segmentNumber(name: string): number | undefined {
  const match = /^(\d{8,15})\.ndjson$/.exec(name)
  return match ? Number(match[1]) : undefined
}

/** The interval at which a writer touches writer.json. */
export const TOUCH_INTERVAL_MS = 10_000

/**
 * Returns the boot id of the running kernel, or null if the kernel has none. The id differs from that of every other
 * kernel, and changes at each start.
 */
export function readBoot(): string | null {
  try {
    return readFileSync(BOOT_FILE, 'utf8').trim()
  } catch {
    return null
  }
}

/** Tells whether an error of the file system means that a file or directory is not at its path any more. */
export const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ESTALE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Returns the number of newlines in the bytes. */
export function countNewlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) count++
  return count
}

/** Whether a line has anything but blanks, such as a carriage return or a byte order mark. What has not is no line. */
export const hasText = (line: string): boolean => /\S/.test(line)
