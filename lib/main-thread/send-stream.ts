import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** A body that is told which chunks have been sent, so that it can free their memory. */
export interface BodyStream extends Readable {
  /** Whether all chunks have been added, whether or not they have been read. */
  readonly isComplete?: boolean
  sent?(chunk: Uint8Array): void
  /** Called when no more chunks will be sent. */
  release?(): void
}

/**
 * Sends a body as fast as the client reads it. If the client goes away, the body is destroyed. HEAD is answered without it.
 * All chunks of one turn of the event loop are one HTTP chunk and one system call; `pipeline` would send each for itself.
 * @param mayFree whether the memory of a chunk that was sent may be freed: middleware may have kept the chunk
 */
export function sendStream(response: ServerResponse, body: BodyStream, mayFree = true): void {
  if (response.req.method === 'HEAD' || response.destroyed) {
    body.destroy()
    response.end()
    return
  }
  body.on('data', (chunk: Uint8Array) => {
    sendTogether(response, body)
    const mayGoOn = response.write(chunk, error => error || !mayFree || body.sent?.(chunk))
    if (!mayGoOn) body.pause()
  })
  body.once('end', () => endTogether(response))
  body.once('error', () => response.destroy())
  response.on('drain', () => body.resume())
  response.once('close', () => {
    body.destroy()
    body.release?.()
  })
}

/** A function that compression adds: it sends what was written. */
interface Flushable {
  flush?(): void
}

/** Holds back written chunks until this turn of the event loop is over. */
function sendTogether(response: ServerResponse & Flushable, body: BodyStream): void {
  if (response.writableCorked > 0) return
  response.cork()
  process.nextTick(() => {
    if (response.writableEnded) return
    // `end` would come later in this turn, or only after a `drain`: then it would be sent in a system call of its own.
    if (body.isComplete && body.readableLength === 0) return endTogether(response)
    response.uncork()
    response.flush?.()
    // Node.js 22 emits no `drain` for chunks that it held back, even if the connection takes them all.
    if (response.socket?.writableNeedDrain === false) body.resume()
  })
}

/** Node.js 22 and 24 would send the end of the body before the chunks that are held back, so these go first. */
function endTogether(response: ServerResponse): void {
  if (response.writableCorked > 0) {
    // The end of the body leaves in the same system call: `end` sends all that the connection holds back.
    response.socket?.cork()
    response.uncork()
  }
  response.end()
}
