import { types } from 'node:util'
import type { PageOutput } from './page-output.ts'

/** Whether this is a `Response`, also one of another library or realm. It never throws. */
export function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false
  try {
    return value instanceof Response || Object.prototype.toString.call(value) === '[object Response]'
  } catch {
    return false
  }
}

/** A body that is being passed on. */
export interface PassedBody {
  /** Is fulfilled when all was written. Rejects when the body fails. */
  readonly written: Promise<void>
  /** Ends the body, because nobody wants it. */
  cancel(reason: unknown): void
}

/** Writes the body of a response to the output of a page as it comes, and as fast as the client reads. */
export function passBody({ body, bodyUsed }: Response, output: PageOutput): PassedBody {
  if (bodyUsed) throw new TypeError('the body of the response that `load` returned was read before')
  const reader = body?.getReader()
  const write = async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      if (!types.isUint8Array(next.value)) throw new TypeError('the body of a response has bytes')
      const mayGoOn = output.write(next.value)
      output.flush()
      if (!mayGoOn) await new Promise<void>(resolve => output.on('drain', resolve))
    }
  }
  return { written: write(), cancel: reason => void reader?.cancel(reason).catch(() => {}) }
}
