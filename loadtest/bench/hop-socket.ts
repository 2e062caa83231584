import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reply } from './hop-protocol.ts'

/** A reply begins with its id and its length, as 32-bit numbers. */
const HEAD_BYTES = 8
const READ_BYTES = 65_536

/** Makes a path for a socket in a directory that only this user may enter. */
export const createSocketPath = (): string => join(mkdtempSync(join(tmpdir(), 'hop-')), 'replies')

/** Waits for the one client of a socket. @param onListening called once a client may come */
export const acceptOne = (path: string, onListening: () => void): Promise<Socket> =>
  new Promise(resolve => createServer(resolve).listen(path, onListening))

/** Sends replies in one write. */
export function sendReplies(socket: Socket, replies: readonly Reply[]): void {
  socket.cork()
  for (const { id, bytes } of replies) {
    const head = Buffer.allocUnsafe(HEAD_BYTES)
    head.writeUInt32LE(id, 0)
    head.writeUInt32LE(bytes.length, 4)
    socket.write(head)
    socket.write(bytes)
  }
  socket.uncork()
}

/** Connects to a socket, removes its directory, and takes all replies that come. */
export async function receiveReplies(path: string, take: (id: number, bytes: Buffer) => void): Promise<void> {
  let rest = Buffer.alloc(0)
  function read(count: number, chunk: Uint8Array): boolean {
    let bytes = Buffer.from(chunk.buffer as ArrayBuffer, chunk.byteOffset, count)
    if (rest.length > 0) bytes = Buffer.concat([rest, bytes])
    while (bytes.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + bytes.readUInt32LE(4)
      if (bytes.length < end) break
      take(bytes.readUInt32LE(0), Buffer.from(bytes.subarray(HEAD_BYTES, end)))
      bytes = bytes.subarray(end)
    }
    // The memory of the chunk is used again.
    rest = Buffer.from(bytes)
    return true
  }
  const socket = connect({ path, onread: { buffer: Buffer.alloc(READ_BYTES), callback: read } })
  await once(socket, 'connect')
  rmSync(join(path, '..'), { recursive: true })
}
