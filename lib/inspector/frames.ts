import { randomBytes } from 'node:crypto'

/** Kinds of frames, see RFC 6455, section 5.2. */
export const opcodes = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const

/** Makes a frame that a client sends: final, and masked as the RFC demands. */
export function frame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4)
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] as number))
  return Buffer.concat([lengthHead(opcode, payload.length), mask, masked])
}

function lengthHead(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode
  if (length < 126) return Buffer.from([first, 0x80 | length])
  if (length < 2 ** 16) return Buffer.from([first, 0x80 | 126, length >> 8, length & 0xff])
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** Reads the frames that a server sends, in whatever pieces they arrive, and joins those of one message. */
export class FrameReader {
  readonly #heard: (opcode: number, payload: Buffer) => void
  #chunks: Buffer[] = []
  #size = 0
  #parts: Buffer[] = []
  #opcode = 0

  constructor(heard: (opcode: number, payload: Buffer) => void) {
    this.#heard = heard
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    for (let size = this.#frameSize(); size <= this.#size; size = this.#frameSize()) this.#read(size)
  }

  /** Number of bytes of the frame at the front; infinite while its head is incomplete. */
  #frameSize(): number {
    const { headSize, length } = this.#head()
    return headSize + length
  }

  #head() {
    const bytes = this.#front(10)
    const short = (bytes[1] ?? 0) & 0x7f
    const headSize = short === 127 ? 10 : short === 126 ? 4 : 2
    if (this.#size < headSize) return { headSize, length: Number.POSITIVE_INFINITY }
    if (short === 126) return { headSize, length: bytes.readUInt16BE(2) }
    return { headSize, length: short === 127 ? Number(bytes.readBigUInt64BE(2)) : short }
  }

  #read(size: number): void {
    const { headSize } = this.#head()
    const bytes = this.#front(size)
    const first = bytes[0] as number
    this.#chunks = [bytes.subarray(size)]
    this.#size -= size
    this.#take(first, bytes.subarray(headSize, size))
  }

  #take(first: number, payload: Buffer): void {
    const opcode = first & 0x0f
    if (opcode >= opcodes.close) return this.#heard(opcode, payload)
    if (opcode !== opcodes.continuation) this.#opcode = opcode
    this.#parts.push(payload)
    if ((first & 0x80) === 0) return
    const whole = Buffer.concat(this.#parts)
    this.#parts = []
    this.#heard(this.#opcode, whole)
  }

  /** The front of what has arrived, joined if it is in several pieces. */
  #front(size: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks
    if (first.length >= Math.min(size, this.#size)) return first
    const joined = Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}
