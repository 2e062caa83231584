import { pipeline, Writable } from 'node:stream'
import type { PageInMaking } from './page-thread.ts'

/**
 * Writes a stream to the output of a page, as fast as the client reads. If it cannot be made, or fails, so does the page.
 * @param open makes the stream
 */
export function pipeTransformed(open: () => NodeJS.ReadableStream, page: PageInMaking): void {
  const { output } = page
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
    pipeline(open(), sink, error => error && page.fail(error))
  } catch (error) {
    page.fail(error)
  }
}
