import { createLineFormat } from '../../../logger-transport/line-format.ts'
import { openSegments } from '../../../logger-transport/main-thread/open-segments.ts'
import type { ThreadLineOptions, ThreadLines } from '../../../logger-transport/thread-lines.ts'
import type { CreateLogSink, LineCounts, LogSink } from './contract.ts'
import type { SegmentValues } from './segment-options.ts'

type SidecarOptions = SegmentValues & Pick<ThreadLineOptions, 'logLevel' | 'logRedact'>

interface SidecarSink extends LogSink {
  counts(): LineCounts
  /** For threads that format their own lines. */
  readonly threadLines: ThreadLines
  /** Behaves as if the disk limit of the segments were reached, or ends that. */
  pretendFull(isFull: boolean): void
}

/**
 * A log line has to be formatted, serialized, written, rotated and delivered. Here the main thread only makes the line
 * and leaves it in a segment file; the process logger-transport does the rest. The lines do not contain the resource:
 * logger-transport adds it from writer.json.
 */
export const createLogSink: CreateLogSink<SidecarSink, SidecarOptions> = async options => {
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
