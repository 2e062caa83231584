import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { FrameReader, frame, opcodes } from './frames.ts'

/** A connection to an inspector. Node.js 20 has no WebSocket of its own. */
export interface TextSocket {
  send(text: string): void
  close(): void
}

interface Heard {
  text(text: string): void
  closed(): void
}

/**
 * Opens a WebSocket (RFC 6455) and passes on the texts that arrive.
 * @param url `ws://…`
 * @throws Error when no server answers with a WebSocket
 */
export function openSocket(url: string, heard: Heard): Promise<TextSocket> {
  return new Promise((resolve, reject) => {
    const upgrade = request(url.replace(/^ws/, 'http'), {
      agent: false,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
    })
    upgrade.on('error', reject)
    upgrade.on('response', ({ statusCode }) => reject(new Error(`${url} answered ${statusCode}`)))
    upgrade.on('upgrade', (_, socket: Socket, head) => resolve(talk(socket, head, heard)))
    upgrade.end()
  })
}

function talk(socket: Socket, head: Buffer, heard: Heard): TextSocket {
  const reader = new FrameReader((opcode, payload) => {
    if (opcode === opcodes.text) heard.text(payload.toString('utf8'))
    else if (opcode === opcodes.ping) socket.write(frame(opcodes.pong, payload))
    else if (opcode === opcodes.close) socket.end()
  })
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => reader.push(chunk))
  socket.on('error', () => socket.destroy())
  socket.on('close', heard.closed)
  reader.push(head)
  return {
    send: text => void socket.write(frame(opcodes.text, Buffer.from(text))),
    close: () => void socket.end(frame(opcodes.close, Buffer.alloc(0))),
  }
}
