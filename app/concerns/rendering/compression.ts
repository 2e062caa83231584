import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import Negotiator from 'negotiator'
import type { BodyStream } from '../framework/contract.ts'

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** What the client accepts best by `Accept-Encoding`; undefined for the bytes as they are. */
export function chooseEncoding(headers: IncomingHttpHeaders): Encoding | undefined {
  if (!headers['accept-encoding']) return undefined
  const negotiator = new Negotiator({ headers }) as unknown as PreferringNegotiator
  const chosen = negotiator.encoding([...encodings, 'identity'], { preferred: encodings })
  return encodings.find(encoding => encoding === chosen)
}

/** Headers that also say how the body is encoded. */
export const withEncoding = (
  headers: Readonly<Record<string, string>>,
  encoding: Encoding | undefined,
): Readonly<Record<string, string>> => (encoding ? { ...headers, 'content-encoding': encoding } : headers)

/** The types of negotiator lack its second parameter. */
interface PreferringNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}

/** For pages made on request: more would cost more CPU time than it saves bytes. */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 5

const compressors = {
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: GZIP_LEVEL }),
} as const satisfies Record<Encoding, () => object>

/** Compresses on libuv's threads, and flushes after every chunk: what the client has got it can show. */
export function compress(body: BodyStream, encoding: Encoding): Readable {
  return pipeline(body, compressors[encoding](), () => body.release?.())
}
