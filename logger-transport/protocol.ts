import type { Resource } from '../lib/resource.ts'

/**
 * How lines get from an app to logger-transport: through files of one directory.
 *
 *   <log directory>/
 *     <instance>/              one writer, named after its instance
 *       writer.json            who writes: a WriterInfo; there before the first segment, touched while it lives
 *       00000001.ndjson        a segment: whole lines of JSON, only ever appended to, of bounded size
 *       00000002.ndjson        the next; now nothing is appended to the first any more
 *       closed                 there once the writer has ended in order: nothing more comes
 *
 * A line carries `sequence`, which counts the lines of its writer from 1; a gap is a line that was dropped, the same
 * number twice is a line that was delivered twice. What is the same in every line of a writer (its resource) stands
 * in writer.json and is added by the transport. Only the writer creates and appends, only the transport deletes.
 */
export interface WriterInfo {
  readonly resource: Resource
}

export const WRITER_FILE = 'writer.json'
export const CLOSED_FILE = 'closed'

export const segmentName = (number: number): string => `${String(number).padStart(8, '0')}.ndjson`

/** The number in a segment's name; undefined when it is none. */
export function segmentNumber(name: string): number | undefined {
  const match = /^(\d{8,15})\.ndjson$/.exec(name)
  return match ? Number(match[1]) : undefined
}

/** How often a writer touches writer.json, and after how long a silence it is taken for dead. */
export const TOUCH_INTERVAL_MS = 10_000
export const ABANDONED_AFTER_MS = 60_000
