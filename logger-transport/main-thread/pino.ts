import type { Writable } from 'node:stream'
import type { SegmentsOptions } from './index.ts'
import { createLineStream } from './line-stream.ts'

/**
 * The target of `pino.transport({ target: '@main-thread/logger-transport/pino', options: { directory } })`, for which pino starts a
 * thread. `pino(segments({ directory }))` writes the same segments without one.
 */
// biome-ignore lint/style/noDefaultExport: pino starts the default export of a target
export default function createTarget(options: SegmentsOptions): Writable {
  return createLineStream(options)
}
