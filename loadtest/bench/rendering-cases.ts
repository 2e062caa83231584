import type { Socket } from 'node:net'

/** A way in which a rendered part gets from the thread that rendered it to the thread that sends it. */
export interface RenderingCase {
  /** Packs the pieces of one page into the message that is posted. */
  pack(pieces: readonly string[]): { readonly packed: unknown; readonly transfer?: ArrayBuffer[] }
  send(socket: Socket, packed: never): void
}

const KILOBYTE = 1024
const encoder = new TextEncoder()
const encode = (piece: string) => encoder.encode(piece)
const buffersOf = (packed: readonly Uint8Array[]) => packed.map(({ buffer }) => buffer as ArrayBuffer)

export const renderingCases = {
  'the page, a string': {
    pack: pieces => ({ packed: pieces.join('') }),
    send: (socket, page: string) => socket.write(page),
  },
  'a string a part': {
    pack: pieces => ({ packed: pieces }),
    send(socket, pieces: readonly string[]) {
      for (const piece of pieces) socket.write(piece)
    },
  },
  'a buffer a part, copied': {
    pack: pieces => ({ packed: pieces.map(encode) }),
    send: sendAll,
  },
  'a buffer a part, transferred': {
    pack: pieces => transferred(pieces.map(encode)),
    send: sendAll,
  },
  'a buffer a part, transferred, freed once sent': {
    pack: pieces => transferred(pieces.map(encode)),
    send(socket, pieces: readonly Uint8Array<ArrayBuffer>[]) {
      for (const piece of pieces) socket.write(piece, () => piece.buffer.transfer(0))
    },
  },
  'shared memory a part': {
    pack: pieces => ({ packed: pieces.map(encode).map(share) }),
    send: sendAll,
  },
  'a buffer a kilobyte, transferred': {
    pack: pieces => transferred(pieces.flatMap(cutIntoKilobytes).map(encode)),
    send: sendAll,
  },
} as const satisfies Record<string, RenderingCase>

export type RenderingCaseName = keyof typeof renderingCases

function transferred(packed: readonly Uint8Array[]) {
  return { packed, transfer: buffersOf(packed) }
}

function sendAll(socket: Socket, pieces: readonly Uint8Array[]): void {
  for (const piece of pieces) socket.write(piece)
}

function share(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  return shared
}

const cutIntoKilobytes = (piece: string) =>
  Array.from({ length: Math.ceil(piece.length / KILOBYTE) }, (_, index) =>
    piece.slice(index * KILOBYTE, (index + 1) * KILOBYTE),
  )
