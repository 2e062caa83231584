const ANSWER_LIMIT_MS = 8000
const LONGEST_RETRY_AFTER_MS = 10 * 60_000

/** The place at a collector to which bodies are sent. */
export interface Destination {
  readonly url: string
  /** Headers that are sent with each body. */
  readonly headers: Readonly<Record<string, string>>
}

/** The collector's answer to a body. */
export type Outcome =
  | { readonly kind: 'taken'; readonly answer: Buffer }
  /** The collector will never accept this body. */
  | { readonly kind: 'refused'; readonly why: string; readonly status: number }
  /** The collector may accept the body later. */
  | { readonly kind: 'unavailable'; readonly why: string; readonly retryAfterMs: number }

/** Sends an OTLP body (Protobuf) to a collector, once. */
export async function sendBody(
  { url, headers }: Destination,
  body: Uint8Array<ArrayBuffer>,
  closing: AbortSignal,
): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    })
    return judge(response, Buffer.from(await response.arrayBuffer()))
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } }
    return { kind: 'unavailable', why: `did not answer (${cause?.code ?? name})`, retryAfterMs: 0 }
  }
}

function judge({ ok, status, headers }: Response, answer: Buffer): Outcome {
  if (ok) return { kind: 'taken', answer }
  const why = `answered with ${status}`
  if (status < 500 && status !== 408 && status !== 429) return { kind: 'refused', why, status }
  return { kind: 'unavailable', why, retryAfterMs: parseRetryAfterMs(headers.get('retry-after') ?? '') }
}

/**
 * Reads a `Retry-After` header, which has seconds or a date. @returns the wait in milliseconds, 0 for any other text
 */
function parseRetryAfterMs(text: string): number {
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return waitMs > 0 ? Math.min(waitMs, LONGEST_RETRY_AFTER_MS) : 0
}
