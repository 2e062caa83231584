import type { Resource } from '../lib/resource.ts'

/**
 * How lines get from an app to logger-transport: through files of one directory.
 *
 *   <log directory>/
 *     <instance>/              one writer, named after its instance
 *       writer.json            who writes: a WriterInfo; there before the first segment, touched while it lives
 *       alive                  a Unix socket on which the writer listens as long as its process lives
 *       00000001.ndjson        a segment: whole lines of JSON, only ever appended to, of bounded size
 *       00000002.ndjson        the next; now nothing is appended to the first any more
 *       closed                 there once the writer has ended in order: nothing more comes. In it stands how many lines
 *                              the segments of all its epochs held
 *     <instance>.2/            the second epoch of the same writer: it did not find its first directory any more
 *     <instance>.2.ended/      an epoch that is over: nobody may append to it any more
 *     <instance>.deleted/      one that every target has, while it is deleted
 *
 * A line carries `sequence`, which counts the lines of its writer from 1; a gap is a line that was dropped, the same
 * number twice is a line that was delivered twice. The resource of a writer is the same in each of its lines; it stands
 * in writer.json and the transport adds it. Only the writer creates and appends, only the transport deletes.
 *
 * When is a writer dead? When nobody listens on its socket any more: the kernel closes it with the process, however
 * the process ended, and not before its last write is done. A process that is stopped, or whose clock is wrong, still
 * listens. The transport holds a connection, so that this costs the writer one `accept`.
 *
 * A writer that cannot be asked (its kernel is another one, or its file system has no sockets) is believed to be dead
 * after a long silence. It may come back, and its directory can also be removed by a stranger. So the writer looks, after
 * each batch, whether the segment is still at its path, and only then forgets the batch:
 *
 *     writer                                            transport
 *     append the batch to a/00000001.ndjson             silent for long? rename a/ to a.ended/ (atomic)
 *     is a/00000001.ndjson there?                       read a.ended/ to its end, delete it
 *        yes: forget the batch                          read a.2/ once a/ and a.ended/ are read or gone; leave out
 *        no:  make a.2/, append the batch to it anew       those of its first lines that a.ended/ had as well
 *
 * The order of the rename and of the look decides. Look first: what was appended lies in the directory before it is
 * renamed, and is read. Rename first: the writer does not find its segment, and writes the batch again. `linesBefore` of
 * the new epoch says how many lines the writer had forgotten before it. The transport compares that with the number of
 * lines that it has read of earlier epochs: it has read more when it has the rewritten batch already, and leaves out so
 * many; it has read fewer when someone removed segments that it had not read, and counts so many as lost.
 */
export interface WriterInfo {
  readonly resource: Resource
  /** Tells the kernel of the writer from others; null where it has no such name. */
  readonly boot: string | null
  /** Lines of this writer that earlier epochs hold; 0 in the first. */
  readonly linesBefore: number
  /** All its segments take no more than this: past it the writer drops lines. */
  readonly diskBytes: number
}

export const WRITER_FILE = 'writer.json'
export const CLOSED_FILE = 'closed'
export const SOCKET_FILE = 'alive'
/** Linux draws its content anew at each start of the kernel. */
export const BOOT_FILE = '/proc/sys/kernel/random/boot_id'

/** An epoch of a writer, from 1. */
export interface Epoch {
  readonly instance: string
  readonly epoch: number
}

export const directoryName = ({ instance, epoch }: Epoch): string =>
  epoch === 1 ? instance : `${instance}.${epoch}`

export const endedName = (directory: string): string => `${directory}${ENDED}`

const ENDED = '.ended'
const DELETED = '.deleted'

/** What a directory is called while it is deleted. */
export const deletedName = (directory: string): string => `${directory}${DELETED}`

export const isDeleted = (name: string): boolean => name.endsWith(DELETED)

/** What the name of a directory says. */
export function parseDirectoryName(name: string): Epoch & { readonly hasEnded: boolean } {
  const hasEnded = name.endsWith(ENDED)
  const own = hasEnded ? name.slice(0, -ENDED.length) : name
  const [, instance = own, epoch = '1'] = /^(.+)\.([2-9]|[1-9]\d{1,8})$/.exec(own) ?? []
  return { instance, epoch: Number(epoch), hasEnded }
}

export const segmentName = (number: number): string => `${String(number).padStart(8, '0')}.ndjson`

/** The number in a segment's name; undefined when it is none. */
export function segmentNumber(name: string): number | undefined {
  const match = /^(\d{8,15})\.ndjson$/.exec(name)
  return match ? Number(match[1]) : undefined
}

/** How often a writer touches writer.json. */
export const TOUCH_INTERVAL_MS = 10_000
