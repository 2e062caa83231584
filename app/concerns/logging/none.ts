import type { ThreadLineOptions, ThreadLines } from '../../../logger-transport/thread-lines.ts'
import type { CreateLogSink, LineCounts, LogSink } from './contract.ts'

/** Writes no lines, and counts each as dropped. This is the floor of the concern. */
export const createLogSink: CreateLogSink<
  LogSink & { threadLines: ThreadLines; counts(): LineCounts },
  Pick<ThreadLineOptions, 'logLevel'>
> = async ({ logLevel }) => {
  let emitted = 0
  return {
    write() {
      emitted++
    },
    threadLines: {
      format: { countsOnly: true, logLevel, logRedact: [] },
      write({ count }) {
        emitted += count
      },
    },
    counts: () => ({ emitted, dropped: emitted }),
    close: async () => {},
  }
}
