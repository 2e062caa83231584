import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { codeOf } from '../fault.ts'
import type { Request } from './requests.ts'

export interface Answer {
  readonly status: number
  /** Values by name; names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Each character is a byte. */
  readonly body: string
}

const ANSWER = /^HTTP\/1\.1 ([2-5]\d\d) .*?\r\n(.*?)\r\n\r\n(.*)$/s

/** The first bytes of a request, for messages of errors. */
export const describe = ({ bytes }: Request): string => JSON.stringify(bytes.toString('latin1').slice(0, 500))

/**
 * Sends a request, which says `connection: close`, over a connection of its own. Other HTTP clients refuse to send some of these
 * requests.
 * @throws when the answer is missing, incomplete, or not HTTP
 */
export async function ask(url: string, request: Request): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(request.bytes)
  const received = (await readAll(socket)).toString('latin1')
  const [, code, head = '', rest = ''] = ANSWER.exec(received) ?? []
  assert.ok(code, `${JSON.stringify(received.slice(0, 300))} is the answer to ${describe(request)}`)
  const status = Number(code)
  const headers = new Map(head.split('\r\n').map(splitHeader))
  const isEmpty = request.method === 'HEAD' || status === 204 || status === 304
  const isChunked = headers.get('transfer-encoding') === 'chunked' && !isEmpty
  const body = isChunked ? readChunks(rest) : rest
  const length = isEmpty ? 0 : isChunked ? body.length : Number(headers.get('content-length'))
  assert.equal(body.length, length, `the length of the answer to ${describe(request)}`)
  return { status, headers, body }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function readChunks(chunks: string): string {
  let body = ''
  for (let at = 0; ; ) {
    const lineEnd = chunks.indexOf('\r\n', at)
    const size = Number.parseInt(chunks.slice(at, lineEnd), 16)
    const start = lineEnd + 2
    assert.ok(chunks.length >= start + size + 2, 'an answer ends amid a chunk')
    if (size === 0) return body
    body += chunks.slice(start, start + size)
    at = start + size + 2
  }
}

/**
 * Reads until the other side closes. A server that closes a connection while the client still sends resets it: that is no error, and
 * what came before counts.
 */
export async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk as Buffer))
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve())
    socket.once('error', error => {
      if (!['ECONNRESET', 'EPIPE'].includes(codeOf(error))) reject(error)
    })
  })
  return Buffer.concat(chunks)
}
