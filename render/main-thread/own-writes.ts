import { ServerResponse } from 'node:http'

/** The part of a response that middleware may replace. */
interface WritableResponse {
  readonly write: unknown
  readonly end: unknown
  readonly writableLength: number
}

/**
 * Whether nobody has replaced the functions with which a response is written. Middleware that has, such as for compression
 * or caches, may keep what it gets, drop the callback of a write, and never tell that it takes more.
 */
export const hasOwnWrites = ({ write, end }: WritableResponse): boolean =>
  write === ServerResponse.prototype.write && end === ServerResponse.prototype.end

const POLL_MS = 200

/**
 * Calls back, again and again, while a response of replaced functions has nothing left to send: it takes more then, whether
 * or not it says so.
 * @returns the function that ends it
 */
export function pollDrain(response: WritableResponse, onDrained: () => void): () => void {
  const timer = setInterval(() => response.writableLength === 0 && onDrained(), POLL_MS).unref()
  return () => clearInterval(timer)
}
