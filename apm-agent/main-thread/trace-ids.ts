import { randomFillSync } from 'node:crypto'

/** Random bytes are drawn from the system in blocks of 4 KiB, because one draw costs as much as hundreds of ids. */
const random = new Uint32Array(1024)
let used = random.length

export function randomWord(): number {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  return random[used++] as number
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/

/** Whether the header is a W3C trace context (level 1). Of a later version only the known part is read. */
export const isTraceparent = (header: string | undefined): header is string =>
  header !== undefined &&
  TRACEPARENT.test(header) &&
  (header.length === 55 || (!header.startsWith('00') && header.length > 55))
