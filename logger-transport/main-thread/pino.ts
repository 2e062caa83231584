import { Writable } from 'node:stream'
import { type SegmentsOptions, segments } from './index.ts'

/**
 * The same destination as `segments`, as a stream of Node.js. It takes lines as text that may end anywhere. Further options
 * are those of a logger, and are ignored. It is the target of `pino.transport({ target: '@main-thread/logger-transport/pino', options:
 * { directory } })`, for which pino starts a thread; `pino(segments({ directory }))` writes the same segments without one.
 */
// biome-ignore lint/style/noDefaultExport: pino starts the default export of a target
export default function createLineStream({ directory, memoryMib, diskMib }: SegmentsOptions): Writable {
  const { write, close } = segments({ directory, memoryMib, diskMib })
  let rest = ''
  return new Writable({
    decodeStrings: false,
    write(text, _, done) {
      const lines = `${rest}${text}`.split('\n')
      rest = lines.pop() as string
      for (const line of lines) write(`${line}\n`)
      done()
    },
    final(done) {
      if (rest) write(`${rest}\n`)
      close().then(() => done(), done)
    },
  })
}
