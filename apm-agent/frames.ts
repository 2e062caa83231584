import type { FrameFault } from './counts.ts'
import {
  allocate,
  frameKinds,
  HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
  type Memory,
  signature,
  VERSION,
  versionOf,
} from './protocol.ts'

/** A complete frame. Its memory is reused after the frame has been taken. */
export interface Frame {
  readonly kind: number
  readonly sequence: number
  readonly memory: Memory
  /** The bounds of the payload in `memory`. */
  readonly start: number
  readonly end: number
}

/**
 * The received bytes are not a frame that this version understands. `reason` is for counting, the message for people.
 */
export class ProtocolError extends Error {
  readonly reason: FrameFault

  constructor(reason: FrameFault, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Assembles frames from the bytes of one connection, which may be cut anywhere. */
export class FrameReader {
  readonly #memory: Memory
  #filled = 0

  constructor(maxPayloadBytes = MAX_PAYLOAD_BYTES) {
    this.#memory = allocate(HEADER_BYTES + maxPayloadBytes)
  }

  /** Whether a frame has begun and is not complete. */
  get isPartial(): boolean {
    return this.#filled > 0
  }

  /** @throws ProtocolError, and errors of `take`; after an error the connection cannot be used any more */
  read(chunk: Uint8Array, take: (frame: Frame) => void): void {
    const { bytes } = this.#memory
    for (let from = 0; from < chunk.length; ) {
      const until = Math.min(chunk.length, from + bytes.length - this.#filled)
      bytes.set(chunk.subarray(from, until), this.#filled)
      this.#filled += until - from
      from = until
      this.#takeAll(take)
    }
  }

  #takeAll(take: (frame: Frame) => void): void {
    let at = 0
    while (this.#filled - at >= HEADER_BYTES) {
      const { kind, sequence, payloadBytes } = this.#readHeader(at)
      const start = at + HEADER_BYTES
      const end = start + payloadBytes
      if (end > this.#filled) break
      take({ kind, sequence, memory: this.#memory, start, end })
      at = end
    }
    this.#memory.bytes.copyWithin(0, at, this.#filled)
    this.#filled -= at
  }

  #readHeader(at: number) {
    const word = (index: number) => this.#memory.uint32[at / 4 + index] as number
    const [kind, payloadBytes, sequence] = [word(1), word(2), word(3)]
    const version = versionOf(word(0))
    if (version === undefined) throw new ProtocolError('garbage', 'this is not the protocol of apm-agent')
    if (version !== VERSION)
      throw new ProtocolError(
        'version',
        `version ${version} of the protocol was received, version ${VERSION} is spoken here: run app and apm-agent from the same release`,
      )
    if (payloadBytes % 8 !== 0 || payloadBytes > this.#memory.bytes.length - HEADER_BYTES)
      throw new ProtocolError('size', `a payload of ${payloadBytes} bytes is not allowed`)
    return { kind, sequence, payloadBytes }
  }
}

export function writeHeader(
  { uint32 }: Memory,
  kind: keyof typeof frameKinds,
  payloadBytes: number,
  sequence: number,
): void {
  uint32[0] = signature
  uint32[1] = frameKinds[kind]
  uint32[2] = payloadBytes
  uint32[3] = sequence
}

/** A frame with text as its payload, ready to be sent. */
export function textFrame(kind: keyof typeof frameKinds, text: string, sequence = 0): Buffer {
  const payloadBytes = Math.ceil(Buffer.byteLength(text) / 8) * 8
  const memory = allocate(HEADER_BYTES + payloadBytes)
  writeHeader(memory, kind, payloadBytes, sequence)
  memory.bytes.fill(' ', HEADER_BYTES).write(text, HEADER_BYTES)
  return memory.bytes
}

/** The text of a frame that {@link textFrame} made. */
export const textOf = ({ memory, start, end }: Frame): string =>
  memory.bytes.toString('utf8', start, end).trim()
