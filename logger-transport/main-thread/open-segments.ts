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
 * Opens the segments that this process writes for logger-transport, in a directory of its own.
 * @throws UserError if the directory cannot be created, or if other users may write to it
 */
export function openSegments(options: SegmentsOptions): Segments {
  const { logMemoryMib, logDiskMib, resource } = options
  // What is reported belongs to no request, though a batch is written in the context of the request that began it.
  const outside = AsyncLocalStorage.snapshot()
  const report: SegmentsOptions['report'] = (...line) => outside(() => options.report(...line))
  // The process may change its directory later.
  const logDir = resolve(options.logDir)
  const drops = new Drops(report)
  makePrivateDirectory(logDir, '--log-dir')
  const limits = segmentLimits(logMemoryMib * 2 ** 20, logDiskMib * 2 ** 20)
  const listener: Listener = {
    onTrouble: reason => drops.trouble(reason),
    onMoved: directory =>
      report('warn', 'the log segments were taken away; lines go on elsewhere', { directory }),
  }
  const writer = openWriter(
    logDir,
    () => new SegmentWriter(logDir, resource, limits, listener, options.isImmediate),
  )
  // A process that ends by process.exit() or by an uncaught error leaves no time for the next batch.
  const writeLast = () => {
    writer.writeLast()
    drops.sayLost(writer.unwritten)
  }
  process.once('exit', writeLast)
  return {
    write(lines, count = 1) {
      if (!writer.write(lines, count)) drops.refused += count
    },
    dropped: () => writer.dropped,
    pretendFull(isFull) {
      writer.isFull = isFull
    },
    async close() {
      await writer.close()
      process.removeListener('exit', writeLast)
      drops.sayLost(writer.dropped)
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

/**
 * Complains at most once a minute that lines cannot be written. On recovery, reports how many were dropped; at the end, says
 * on stderr how many were not reported.
 */
class Drops {
  /** Number of lines that were refused since the last report. */
  refused = 0
  readonly #report: SegmentsOptions['report']
  readonly #complain = createComplaint()
  #reported = 0
  #reason = ''

  constructor(report: SegmentsOptions['report']) {
    this.#report = report
  }

  /** @param reason why lines cannot be written; undefined if they can */
  trouble(reason: string | undefined): void {
    if (reason !== undefined) {
      this.#reason = reason
      this.#complain(`logger-transport: log lines wait, and are dropped past a bound: ${reason}`)
    } else if (this.refused > 0) {
      const dropped = this.refused
      this.refused = 0
      this.#reported += dropped
      this.#report('warn', 'log lines were dropped', { dropped })
    }
  }

  /** @param dropped the number of all lines that were dropped */
  sayLost(dropped: number): void {
    const lost = dropped - this.#reported
    if (lost === 0) return
    this.#reported = dropped
    process.stderr.write(
      `logger-transport: ${lost} log lines are lost: ${this.#reason || 'the file system took too long'}\n`,
    )
  }
}
