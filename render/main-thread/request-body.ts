import type { Readable } from 'node:stream'
import { RenderError } from './render-error.ts'

/** A request of node:http or of node:http2. */
export interface RawRequest extends Readable {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly rawHeaders: readonly string[]
  readonly httpVersionMajor: number
}

/**
 * Reads the body of a request, or takes what a framework has made of it.
 * @param parsed the `body` of the framework, if it has one
 * @returns undefined if there is none, or if somebody has read it and left nothing of it
 * @throws RenderError BODY_TOO_LARGE, or BODY_NOT_READ if its client stopped sending
 */
export function readBody(
  raw: RawRequest,
  parsed: unknown,
  limitBytes: number,
): Promise<Uint8Array> | string | Uint8Array | undefined {
  if (!hasBody(raw)) return undefined
  if (raw.readableDidRead) return encode(parsed, String(raw.headers['content-type']))
  return readBytes(raw, limitBytes)
}

/** @throws RenderError BODY_TOO_LARGE, or BODY_NOT_READ if its client stopped sending */
export async function readWebBody(request: Request, limitBytes: number): Promise<Uint8Array | undefined> {
  return request.body && !request.bodyUsed ? join(request.body, limitBytes) : undefined
}

const hasBody = ({ method, headers, httpVersionMajor }: RawRequest): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (httpVersionMajor > 1 ||
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > 0)

async function readBytes(raw: RawRequest, limitBytes: number): Promise<Uint8Array> {
  try {
    return await join(raw.iterator({ destroyOnReturn: false }), limitBytes)
  } finally {
    // What is too large is read to its end, and dropped, so that its client reads the answer.
    raw.resume()
  }
}

async function join(chunks: AsyncIterable<Uint8Array | string>, limitBytes: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk as Uint8Array)
      length += bytes.length
      if (length > limitBytes) throw new RenderError('BODY_TOO_LARGE')
      kept.push(bytes)
    }
  } catch (cause) {
    throw cause instanceof RenderError ? cause : new RenderError('BODY_NOT_READ', { cause })
  }
  return Buffer.concat(kept)
}

/** A body as bytes or text again, after a framework has parsed it. Nobody knows how from other types than these. */
function encode(parsed: unknown, type: string): string | Uint8Array | undefined {
  if (typeof parsed === 'string' || parsed instanceof Uint8Array) return parsed
  if (/^application\/([^;\s]+\+)?json\b/i.test(type)) return JSON.stringify(parsed)
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return encodeForm(parsed ?? {})
  return undefined
}

/** @returns undefined if the form has objects in it, for which each library has its own syntax */
function encodeForm(parsed: object): string | undefined {
  const fields = Object.entries(parsed).flatMap(([name, value]) => [value].flat().map(each => [name, each]))
  if (fields.some(([, value]) => typeof value === 'object')) return undefined
  return String(new URLSearchParams(fields as [string, string][]))
}
