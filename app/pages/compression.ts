import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import Negotiator from 'negotiator'
import type { BodyStream } from '../../lib/main-thread/send-stream.ts'

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The encoding that the client prefers by its `Accept-Encoding`; undefined if the bytes are to be sent as they are. */
export function chooseEncoding(headers: IncomingHttpHeaders): Encoding | undefined {
  if (!headers['accept-encoding']) return undefined
  const negotiator = new Negotiator({ headers }) as unknown as PreferringNegotiator
  const chosen = negotiator.encoding([...encodings, 'identity'], { preferred: encodings })
  return encodings.find(encoding => encoding === chosen)
}

/** The headers with the encoding of the body added. */
export const withEncoding = (
  headers: Readonly<Record<string, string>>,
  encoding: Encoding | undefined,
): Readonly<Record<string, string>> => (encoding ? { ...headers, 'content-encoding': encoding } : headers)

/** The published types of negotiator lack its second parameter. */
interface PreferringNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}

/**
 * Quality for pages that are made on request. A higher one would cost more CPU time than its smaller pages are worth.
 */
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

/**
 * Compresses on libuv's threads and flushes after every chunk, so that the client can show each chunk as it arrives.
 */
export function compress(body: BodyStream, encoding: Encoding): Readable {
  return pipeline(body, compressors[encoding](), () => body.release?.())
}
