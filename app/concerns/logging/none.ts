import type { CreateLogSink } from './contract.ts'

/** Writes no lines, and counts each as dropped. This is the floor of the concern. */
export const createLogSink: CreateLogSink = async () => {
  let dropped = 0
  return {
    write() {
      dropped++
    },
    writeFormatted(_level, _lines, count) {
      dropped += count
    },
    countsOnly: true,
    dropped: () => dropped,
    close: async () => {},
  }
}
