import { connect, type Socket } from 'node:net'
import type { Request } from './requests.ts'

export interface Answer {
  readonly status: number
  /** Values by name; names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Sends requests over one connection, all at once, and reads their answers. Other HTTP clients refuse to send some of
 * these requests. Rejects when an answer is missing or is not HTTP.
 */
export async function askPipelined(url: string, requests: readonly Request[]): Promise<Answer[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(Buffer.concat(requests.map(({ bytes }) => bytes)))
  const answers: Answer[] = []
  let received: Buffer = Buffer.alloc(0)
  const takeAll = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (
      let taken = take(received, requests[answers.length]);
      taken;
      taken = take(received, requests[answers.length])
    ) {
      received = received.subarray(taken.length)
      if (taken.answer.status >= 200) answers.push(taken.answer)
    }
    if (answers.length === requests.length) socket.destroy()
  }
  socket.on('data', chunk => {
    try {
      takeAll(chunk as Buffer)
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
  await hasClosed(socket)
  if (answers.length === requests.length) return answers
  const rest = requests.slice(answers.length)
  // A server may close the connection after any answer that says so.
  if (answers.at(-1)?.headers.get('connection') === 'close')
    return [...answers, ...(await askPipelined(url, rest))]
  const { bytes } = rest[0] as Request
  throw new Error(`no answer to ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`)
}

/** The first answer in `received` and its length; undefined while the answer is incomplete. */
function take(
  received: Buffer,
  request: Request | undefined,
): { answer: Answer; length: number } | undefined {
  const headLength = received.indexOf(HEAD_END)
  if (headLength < 0 || !request) return undefined
  const [first = '', ...lines] = received.toString('latin1', 0, headLength).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (!status) throw new Error(`no status: ${first}`)
  const headers = new Map(lines.map(splitHeader))
  const start = headLength + HEAD_END.length
  const body = takeBody(received.subarray(start), { status, headers, isHead: request.method === 'HEAD' })
  return body && { answer: { status, headers, body: body.bytes }, length: start + body.length }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function takeBody(
  received: Buffer,
  { status, headers, isHead }: { status: number; headers: ReadonlyMap<string, string>; isHead: boolean },
): { bytes: Buffer; length: number } | undefined {
  if (isHead || status < 200 || status === 204 || status === 304) return { bytes: Buffer.alloc(0), length: 0 }
  if (headers.get('transfer-encoding') === 'chunked') return takeChunks(received)
  const length = Number(headers.get('content-length') ?? Number.NaN)
  if (Number.isNaN(length)) throw new Error(`an answer of ${status} without a length`)
  return received.length < length ? undefined : { bytes: received.subarray(0, length), length }
}

function takeChunks(received: Buffer): { bytes: Buffer; length: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (received.length < end) return undefined
    if (size === 0) return { bytes: Buffer.concat(chunks), length: end }
    chunks.push(received.subarray(lineEnd + 2, end - 2))
    at = end
  }
}

/** Sends bytes and closes its side. @returns the bytes that came until the other side closed, too */
export async function exchange(connection: () => Socket, bytes: Uint8Array): Promise<Buffer> {
  const socket = connection()
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk as Buffer))
  socket.end(bytes)
  await hasClosed(socket)
  return Buffer.concat(chunks)
}

/**
 * Rejects when what came is wrong. A server that closes a connection while the client still sends resets it: that is no
 * error, and what came before counts.
 */
function hasClosed(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => resolve())
    socket.once('error', error => {
      if (!['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) reject(error)
    })
  })
}
