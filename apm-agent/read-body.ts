import type { IncomingMessage } from 'node:http'

/** Reads a body. It rejects when the sender leaves before the end, or sends more than `maxBytes`. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new RangeError('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
