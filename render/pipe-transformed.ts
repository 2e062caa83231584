import { pipeline, Writable } from 'node:stream'
import type { PageInMaking } from './page-report.ts'

/** Writes the stream that `open` makes, as fast as the client reads. If it cannot be made, or fails, so does the page. */
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
