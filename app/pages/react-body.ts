import { Readable } from 'node:stream'
import type { BodyStream } from '../../lib/main-thread/send-stream.ts'

/** The body of a page that React writes, as fast as the client reads: React goes on with the event `drain`. */
export class ReactBody extends Readable implements BodyStream {
  isComplete = false

  write(chunk: string | Uint8Array): boolean {
    return this.push(chunk)
  }

  end(): void {
    this.isComplete = true
    this.push(null)
  }

  override _read(): void {
    this.emit('drain')
  }
}
