import { AsyncLocalStorage } from 'node:async_hooks'
import { resolve } from 'node:path'
import { createComplaint } from '../../lib/cli/terminal.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { makePrivateDirectory } from '../../lib/os/private-directory.ts'
import type { LogFields, LogLevel } from '../../lib/telemetry/logger.ts'
import type { Resource } from '../../lib/telemetry/resource.ts'
import { type Listener, segmentLimits } from './segment-limits.ts'
import { SegmentWriter } from './segment-writer.ts'

interface SegmentsOptions {
  /** The directory of all writers. This process creates a directory of its own in it. */
  readonly logDir: string
  /** Bounds of the lines that wait in memory and on disk, in MiB. */
  readonly logMemoryMib: number
  readonly logDiskMib: number
  readonly resource: Resource
  /** Whether each line is written at once, because others may end this thread at any time. */
  readonly isImmediate?: boolean
  /** Writes a log line about logging itself. */
  report(level: LogLevel, message: string, fields: LogFields): void
}

/** The app's access to its segments. */
interface Segments {
  /** @param lines a line of JSON, or several, each including its newline */
  write(lines: string, count?: number): void
  dropped(): number
  pretendFull(isFull: boolean): void
  close(): Promise<void>
}

/**
 * Opens the segments that this process writes for logger-transport, in a directory of its own. While lines cannot be written,
 * it complains at most once a minute. On recovery, it reports how many were dropped; at the end, it says on stderr how many
 * were not reported.
 * @throws UserError if the directory cannot be created, or if other users may write to it
 */
export function openSegments(options: SegmentsOptions): Segments {
  const { logMemoryMib, logDiskMib, resource } = options
  // What is reported belongs to no request, though a batch is written in the context of the request that began it.
  const outside = AsyncLocalStorage.snapshot()
  const report: SegmentsOptions['report'] = (...line) => outside(() => options.report(...line))
  const complain = createComplaint()
  let reported = 0
  let reason = 'the file system took too long'
  let isClosing = false
  const listener: Listener = {
    onTrouble(trouble) {
      if (trouble !== undefined) {
        reason = trouble
        complain(`logger-transport: log lines wait, and are dropped past a bound: ${reason}`)
      } else if (writer.dropped > reported && !isClosing) {
        const dropped = writer.dropped - reported
        reported += dropped
        report('warn', 'log lines were dropped', { dropped })
      }
    },
    onMoved: directory =>
      report('warn', 'the log segments were taken away; lines go on elsewhere', { directory }),
  }
  /** @param dropped the number of all lines that were dropped */
  const sayLost = (dropped: number) => {
    const lost = dropped - reported
    reported = dropped
    if (lost > 0) process.stderr.write(`logger-transport: ${lost} log lines are lost: ${reason}\n`)
  }
  // The process may change its directory later.
  const logDir = resolve(options.logDir)
  makePrivateDirectory(logDir, '--log-dir')
  const limits = segmentLimits(logMemoryMib * 2 ** 20, logDiskMib * 2 ** 20)
  const writer = openWriter(
    logDir,
    () => new SegmentWriter(logDir, resource, limits, listener, options.isImmediate),
  )
  // A process that ends by process.exit() or by an uncaught error leaves no time for the next batch.
  const writeLast = () => {
    writer.writeLast()
    sayLost(writer.unwritten)
  }
  process.once('exit', writeLast)
  return {
    write: (lines, count) => void writer.write(lines, count),
    dropped: () => writer.dropped,
    pretendFull(isFull) {
      writer.isFull = isFull
    },
    async close() {
      isClosing = true
      await writer.close()
      process.removeListener('exit', writeLast)
      sayLost(writer.dropped)
    },
  }
}

function openWriter(directory: string, open: () => SegmentWriter): SegmentWriter {
  try {
    return open()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(
      `cannot write log segments to ${directory} (${code}); choose another place with --log-dir`,
    )
  }
}
