import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { createLineFormat } from '../../../logger-transport/line-format.ts'
import { openSegments } from '../../../logger-transport/main-thread/open-segments.ts'
import { openWithoutBlocking } from '../../../logger-transport/main-thread/open-stdout.ts'
import type { ThreadLineOptions, ThreadLines } from '../../../logger-transport/thread-lines.ts'
import type { CreateLogSink, LoggingOptions, LogSink } from './contract.ts'
import { type LineCounts, writeUntilBroken } from './pino-sink.ts'
import type { SegmentValues } from './segment-options.ts'

const CLOSE_LIMIT_MS = 5000
const PIPE_LIMIT_CHARS = 16 * 2 ** 20

/**
 * A log line has to be formatted, serialized, written, rotated and delivered. Here the main thread only makes the line
 * and leaves it in a segment file; the process logger-transport does the rest.
 */
export const createLogSink: CreateLogSink<SidecarSink, SidecarOptions> = async options =>
  options.logTo === 'stdout' ? writeToPipe(options) : writeToSegments(options)

type SidecarOptions = SegmentValues & Pick<ThreadLineOptions, 'logLevel' | 'logRedact'>

interface SidecarSink extends LogSink {
  counts(): LineCounts
  /** For threads that format their own lines. Absent for a pipe. */
  readonly threadLines?: ThreadLines
  /** Behaves as if the disk limit of the segments were reached, or ends that. Absent for a pipe. */
  pretendFull?(isFull: boolean): void
}

/** The lines do not contain the resource: logger-transport adds it from writer.json. */
function writeToSegments(options: LoggingOptions & SidecarOptions): SidecarSink {
  const segments = openSegments(options)
  const format = createLineFormat(options)
  let emitted = 0
  return {
    write(level, message, fields) {
      emitted++
      segments.write(format(level, message, fields))
    },
    threadLines: {
      format: { logLevel: options.logLevel, logRedact: options.logRedact },
      write({ text, count }) {
        emitted += count
        if (count > 0) segments.write(text, count)
      },
    },
    counts: () => ({ emitted, dropped: segments.dropped() }),
    pretendFull: segments.pretendFull,
    close: segments.close,
  }
}

/**
 * Writing to a pipe is a weaker promise: lines in the pipe are lost if its reader dies. While the pipe is full, lines
 * wait; above the limit they are dropped.
 */
function writeToPipe(options: LoggingOptions): SidecarSink {
  const dest = openWithoutBlocking()
  const destination = pino.destination({ dest, minLength: 4096, maxLength: PIPE_LIMIT_CHARS, sync: false })
  const { write, counts, isBroken } = writeUntilBroken(destination, options)
  const flush = () => new Promise<void>(resolve => destination.flush(() => resolve()))
  return {
    write,
    counts,
    close: async () => {
      if (!isBroken()) await Promise.race([flush(), delay(CLOSE_LIMIT_MS, undefined, { ref: false })])
    },
  }
}
