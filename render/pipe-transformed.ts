import { pipeline, Writable } from 'node:stream'
import type { PageOutput } from './page-output.ts'

/**
 * Writes a stream to the output of a page, as fast as the client reads.
 * @param open makes the stream
 * @param onError is called if the stream cannot be made, or fails
 */
export function pipeTransformed(
  open: () => NodeJS.ReadableStream,
  output: PageOutput,
  onError: (error: unknown) => void,
): void {
  const sink = new Writable({
    write(chunk: Uint8Array, _, done) {
      const mayGoOn = output.write(chunk)
      output.flush()
      if (mayGoOn) done()
      else output.on('drain', done)
    },
    final(done) {
      output.end()
      done()
    },
  })
  try {
    pipeline(open(), sink, error => error && onError(error))
  } catch (error) {
    onError(error)
  }
}
