import { isMainThread } from 'node:worker_threads'
import { checkOptions, integerRule, required, textRule } from '../../lib/cli/checked-options.ts'
import { describeService } from '../../lib/telemetry/resource.ts'
import { levelNumbers } from '../levels.ts'
import { hasText } from '../protocol.ts'
import { openSegments } from './open-segments.ts'
import { diskMibBounds, memoryMibBounds } from './segment-limits.ts'

export interface SegmentsOptions {
  /** The directory that `logger-transport --log-dir` reads. Each process has a directory of its own in it. */
  readonly directory: string
  /** Limit on the lines that wait in memory for the disk, in MiB; 16 if absent. Further lines are dropped. */
  readonly memoryMib?: number | undefined
  /** Limit on the segments that wait for logger-transport, in MiB; 256 if absent. Then lines wait in memory. */
  readonly diskMib?: number | undefined
}

const rules = {
  directory: required(textRule),
  memoryMib: integerRule(memoryMibBounds),
  diskMib: integerRule(diskMibBounds),
}

/** A destination of log lines. */
export interface Segments {
  /** Takes a line of JSON, with or without its newline. It never waits and never throws. */
  write(line: string): void
  /** By this pino tells a destination from options. */
  readonly writable: true
  /** Number of lines that were dropped so far, because memory and disk were full. */
  dropped(): number
  /** Writes the lines that wait, within five seconds. */
  close(): Promise<void>
}

/**
 * Opens a destination for a pino logger, or for any other writer of JSON lines: `pino(segments({ directory }))`. Lines
 * are appended to files of bounded size, which the process `logger-transport` delivers and deletes. The variables
 * OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say which service the lines are from.
 * @throws RangeError if an option has a wrong value
 * @throws Error if the directory cannot be created, or if other users may write to it
 */
export function segments(options: SegmentsOptions): Segments {
  const { directory, memoryMib = 16, diskMib = 256 } = checkOptions('segments', options, rules)
  const {
    write: writeLines,
    dropped,
    close,
  } = openSegments({
    logDir: directory,
    logMemoryMib: memoryMib,
    logDiskMib: diskMib,
    resource: describeService(),
    isImmediate: !isMainThread,
    report: (level, msg, fields) =>
      writeLines(`${JSON.stringify({ level: levelNumbers[level], time: Date.now(), ...fields, msg })}\n`),
  })
  const write = (given: string) => {
    const [lines, count] = toLines(given)
    if (count > 0) writeLines(lines, count)
  }
  return { write, writable: true, dropped, close }
}

/**
 * The arguments of `write` for a text that may lack its newline, or contain several lines, or be no text. What has no text is no
 * line, as for the reader.
 */
function toLines(given: string): [lines: string, count: number] {
  const text = typeof given === 'string' ? given : textOf(given)
  const lines = text.endsWith('\n') ? text : `${text}\n`
  const isOne = lines.indexOf('\n') === lines.length - 1
  if (isOne && text.startsWith('{')) return [lines, 1]
  return [lines, lines.split('\n').filter(hasText).length]
}

/** An object whose conversion throws must not end the service that logs it. */
function textOf(given: unknown): string {
  try {
    return String(given)
  } catch (error) {
    return `a line that cannot be made text: ${(error as Error)?.message}`
  }
}
