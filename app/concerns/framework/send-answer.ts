import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { sendStream } from '../../../lib/main-thread/send-stream.ts'
import type { Answer } from '../../route.ts'

/** Sends an answer. A complete body leaves together with its head, in one system call. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (body instanceof Readable) {
    response.writeHead(status, headers)
    sendStream(response, body)
  } else response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}
