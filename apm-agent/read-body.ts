import type { IncomingMessage } from 'node:http'

/** The memory that all bodies may use while they are read. */
export interface BodyMemory {
  leftBytes: number
}

export class NoMemoryLeft extends Error {}

/**
 * Reads a body. It rejects when the sender leaves before the end, or sends more than `maxBytes`.
 * @throws NoMemoryLeft when the bodies that are read at the same time use all of `memory`
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  memory: BodyMemory = { leftBytes: maxBytes },
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of request) {
      sizeBytes += chunk.length
      memory.leftBytes -= chunk.length
      if (sizeBytes > maxBytes) throw new RangeError('body too large')
      if (memory.leftBytes < 0) throw new NoMemoryLeft()
      chunks.push(chunk)
    }
  } finally {
    memory.leftBytes += sizeBytes
  }
  return Buffer.concat(chunks)
}
