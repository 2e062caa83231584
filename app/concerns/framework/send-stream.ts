import type { ServerResponse } from 'node:http'
import type { BodyStream } from './contract.ts'

/**
 * Sends a body as the client takes it; who goes away takes the body along. HEAD has none.
 *
 * What comes in one turn of the event loop goes as one chunk of HTTP in one system call. `pipeline` makes each a chunk:
 * of a page of ten pieces that costs a tenth more.
 */
export function sendStream(response: ServerResponse, body: BodyStream): void {
  if (response.req.method === 'HEAD' || response.destroyed) {
    body.destroy()
    response.end()
    return
  }
  body.on('data', (chunk: Uint8Array) => {
    sendTogether(response)
    const mayGoOn = response.write(chunk, error => error || body.sent?.(chunk))
    if (!mayGoOn) body.pause()
  })
  body.once('end', () => response.end())
  body.once('error', () => response.destroy())
  response.on('drain', () => body.resume())
  response.once('close', () => {
    body.destroy()
    body.release?.()
  })
}

/** Holds back what is written until this turn is over. */
function sendTogether(response: ServerResponse): void {
  if (response.writableCorked > 0) return
  response.cork()
  process.nextTick(() => response.writableEnded || response.uncork())
}
