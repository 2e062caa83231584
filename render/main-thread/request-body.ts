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
  if (!request.body || request.bodyUsed) return undefined
  const bytes = new Bytes(limitBytes)
  try {
    for await (const chunk of request.body) bytes.add(chunk)
  } catch (cause) {
    throw cause instanceof RenderError ? cause : new RenderError('BODY_NOT_READ', { cause })
  }
  return bytes.join()
}

const hasBody = ({ method, headers, httpVersionMajor }: RawRequest): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (httpVersionMajor > 1 ||
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > 0)

function readBytes(raw: RawRequest, limitBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const bytes = new Bytes(limitBytes)
    const cut = (cause?: unknown) => reject(new RenderError('BODY_NOT_READ', { cause }))
    // What is too large is read to its end, and dropped, so that its client reads the answer.
    raw.on('data', chunk => {
      try {
        bytes.add(Buffer.from(chunk))
      } catch (error) {
        reject(error)
      }
    })
    raw.once('end', () => resolve(bytes.join()))
    raw.on('error', cut)
    raw.once('close', cut)
    if (raw.destroyed) cut()
  })
}

class Bytes {
  readonly #limit: number
  readonly #chunks: Uint8Array[] = []
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length
    if (this.#length <= this.#limit) this.#chunks.push(chunk)
    else {
      this.#chunks.length = 0
      throw new RenderError('BODY_TOO_LARGE')
    }
  }

  join(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
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
