import { type BodyReader, ChunkedBody, PlainBody } from './read-body.ts'

/** A head has to fit into this number of bytes, as in Node.js. */
const MAX_HEAD_BYTES = 16 * 1024
const HEAD_BEGIN = Buffer.from('HTTP/1.')
const HEAD_END = Buffer.from('\r\n\r\n')

export interface ResponseHead {
  /** Its size in bytes. */
  readonly length: number
  readonly status: number
  /** Undefined for an interim response, such as 100 Continue: another head follows. */
  readonly body: BodyReader | undefined
  /** Whether the connection may be used again after this response. */
  readonly isReusable: boolean
}

/**
 * Reads the head of the response to a GET request (RFC 9112).
 * @returns undefined while the head is not complete
 * @throws Error when the bytes are no head
 */
export function readHead(bytes: Buffer): ResponseHead | undefined {
  const known = Math.min(bytes.length, HEAD_BEGIN.length)
  if (bytes.compare(HEAD_BEGIN, 0, known, 0, known) !== 0) throw new Error('the answer is not HTTP/1')
  const end = bytes.indexOf(HEAD_END)
  if (end < 0 && bytes.length > MAX_HEAD_BYTES) throw new Error('the head of the answer is too long')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end + 2)
  const [, minor, digits] = /^HTTP\/1\.([01]) ([1-5]\d\d)[ \r]/.exec(head) ?? []
  const status = Number(digits)
  if (minor === undefined || status === 101) throw new Error('the answer is not HTTP/1')
  const length = end + HEAD_END.length
  if (status < 200) return { length, status, body: undefined, isReusable: true }
  const body = bodyOf(head, status)
  const isReusable = minor === '1' && body.isDelimited && !/\r\nconnection:[^\r]*\bclose\b/i.test(head)
  return { length, status, body, isReusable }
}

function bodyOf(head: string, status: number): BodyReader {
  if (status === 204 || status === 304) return new PlainBody(0)
  const coding = /\r\ntransfer-encoding:\s*([^\r]*)/i.exec(head)?.[1]
  const lengths = new Set(
    Array.from(head.matchAll(/\r\ncontent-length:\s*([^\r]*)/gi), ([, length]) => length?.trim()),
  )
  if (coding !== undefined) {
    // With a length besides, two programs may disagree about the end of the body.
    if (lengths.size > 0 || !/^chunked\s*$/i.test(coding))
      throw new Error('the body of the answer has no clear end')
    return new ChunkedBody()
  }
  const [length] = lengths
  if (length === undefined) return new PlainBody(Number.POSITIVE_INFINITY)
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) throw new Error('the answer has no valid length')
  return new PlainBody(Number(length))
}
