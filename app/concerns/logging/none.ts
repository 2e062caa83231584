import type { CreateLogSink } from './contract.ts'

/** No lines: the floor of the concern. Each counts as dropped. */
export const createLogSink: CreateLogSink = async () => {
  let dropped = 0
  return {
    write() {
      dropped++
    },
    dropped: () => dropped,
    close: async () => {},
  }
}
