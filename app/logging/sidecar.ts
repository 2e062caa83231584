import { constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { createComplaint } from '../../lib/complaint.ts'
import { UserError } from '../../lib/user-error.ts'
import {
  type CreateLogSink,
  type LoggingOptions,
  type LogLevel,
  type LogSink,
  logLevels,
} from './contract.ts'
import { pinoOptions } from './pino-options.ts'
import { writeUntilBroken } from './pino-sink.ts'
import { SegmentWriter, segmentLimits } from './segment-writer.ts'

const CLOSE_LIMIT_MS = 5000
const PIPE_LIMIT_CHARS = 16 * 2 ** 20

/** pino writes lines and forgets them; logger-transport, another process, does everything else. */
export const createLogSink: CreateLogSink = async options =>
  options.logTo === 'stdout' ? writeToPipe(options) : writeToSegments(options)

/** The resource is not in the lines: the transport adds it, from writer.json. */
async function writeToSegments(options: LoggingOptions): Promise<LogSink> {
  const { logDir, logMemoryMib, logDiskMib, resource, lineFields, report } = options
  const drops = new Drops(report)
  const limits = { ...segmentLimits, memoryChars: logMemoryMib * 2 ** 20, diskBytes: logDiskMib * 2 ** 20 }
  const directory = join(logDir, resource.instance)
  const writer = openWriter(
    directory,
    () => new SegmentWriter(directory, { resource }, limits, reason => drops.trouble(reason)),
  )
  let writing: LogLevel = 'info'
  const destination = {
    write(line: string) {
      if (!writer.write(line)) drops.add(writing)
    },
  }
  const logger = pino({ ...pinoOptions, base: null, mixin: lineFields }, destination)
  return {
    write(level, message, fields) {
      writing = level
      logger[level](fields, message)
    },
    dropped: () => writer.dropped,
    close: () => writer.close(),
  }
}

/** @throws UserError when the directory cannot be made */
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

/** A weaker promise: what the pipe holds is lost with its reader. While it is full, lines wait, then are dropped. */
async function writeToPipe(options: LoggingOptions): Promise<LogSink> {
  const dest = openWithoutBlocking()
  const destination = pino.destination({ dest, minLength: 4096, maxLength: PIPE_LIMIT_CHARS, sync: false })
  const { write, dropped, isBroken } = writeUntilBroken(destination, options)
  const flush = () => new Promise<void>(resolve => destination.flush(() => resolve()))
  return {
    write,
    dropped,
    close: async () => {
      if (!isBroken()) await Promise.race([flush(), delay(CLOSE_LIMIT_MS, undefined, { ref: false })])
    },
  }
}

/**
 * Stdout, opened anew so that a write to a full pipe fails instead of blocking a thread of libuv's pool, which would
 * keep the process from exiting. Where the system does not allow that, stdout as it is.
 */
function openWithoutBlocking(): number {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return 1
  }
}

/** Says once a minute that lines cannot be written, and once, when they can again, how many were dropped of each level. */
class Drops {
  readonly #report: LoggingOptions['report']
  readonly #byLevel = new Map<LogLevel, number>()
  readonly #complain = createComplaint()

  constructor(report: LoggingOptions['report']) {
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
