import { createComplaint } from '../../lib/complaint.ts'
import { type LogFields, type LogLevel, logLevels } from '../../lib/log-line.ts'
import { makePrivateDirectory } from '../../lib/private-directory.ts'
import type { Resource } from '../../lib/resource.ts'
import { UserError } from '../../lib/user-error.ts'
import { type Listener, segmentLimits } from './segment-limits.ts'
import { SegmentWriter } from './segment-writer.ts'

interface SegmentsOptions {
  /** The directory of all writers; this process writes to one of its own in it. */
  readonly logDir: string
  /** Bounds in memory and on disk. */
  readonly logMemoryMib: number
  readonly logDiskMib: number
  readonly resource: Resource
  /** Writes a log line about logging itself. */
  report(level: LogLevel, message: string, fields: LogFields): void
}

/** Where the app leaves its lines. */
interface Segments {
  /** @param level of the line, to tell what was dropped */
  write(line: string, level: LogLevel): void
  dropped(): number
  pretendFull(isFull: boolean): void
  close(): Promise<void>
}

/**
 * The app's side of the sidecar: segments in a directory of this process's own.
 * @throws UserError when the directory cannot be made, or others may write to it
 */
export function openSegments(options: SegmentsOptions): Segments {
  const { logDir, logMemoryMib, logDiskMib, resource, report } = options
  const drops = new Drops(report)
  makePrivateDirectory(logDir, '--log-dir')
  const limits = segmentLimits(logMemoryMib * 2 ** 20, logDiskMib * 2 ** 20)
  const listener: Listener = {
    onTrouble: reason => drops.trouble(reason),
    onMoved: directory =>
      report('warn', 'the log segments were taken away; lines go on elsewhere', { directory }),
  }
  const writer = openWriter(logDir, () => new SegmentWriter(logDir, resource, limits, listener))
  return {
    write(line, level) {
      if (!writer.write(line)) drops.add(level)
    },
    dropped: () => writer.dropped,
    pretendFull(isFull) {
      writer.isFull = isFull
    },
    close: () => writer.close(),
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

/** Says once a minute that lines cannot be written, and once, when they can again, how many were dropped of each level. */
class Drops {
  readonly #report: SegmentsOptions['report']
  readonly #byLevel = new Map<LogLevel, number>()
  readonly #complain = createComplaint()

  constructor(report: SegmentsOptions['report']) {
    this.#report = report
  }

  add(level: LogLevel): void {
    this.#byLevel.set(level, (this.#byLevel.get(level) ?? 0) + 1)
  }

  trouble(reason: string | undefined): void {
    if (reason === undefined) return this.#recover()
    this.#complain(`app: log lines wait, and are dropped past a bound: ${reason}`)
  }

  #recover(): void {
    if (this.#byLevel.size === 0) return
    const dropped = Object.fromEntries(logLevels.map(level => [level, this.#byLevel.get(level) ?? 0]))
    this.#byLevel.clear()
    this.#report('warn', 'log lines were dropped', { dropped })
  }
}
