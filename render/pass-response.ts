import { types } from 'node:util'
import { headersOf, withBefore } from './headers.ts'
import type { PageOutput } from './page-output.ts'
import type { PageInMaking } from './page-report.ts'

/** Whether this is a `Response`, also one of another library or realm. It never throws. */
export function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false
  try {
    return value instanceof Response || Object.prototype.toString.call(value) === '[object Response]'
  } catch {
    return false
  }
}

/** Sends a response in place of a page, as its body comes, and as fast as the client reads. It may take longer than a page may. */
export async function passResponse(response: Response, page: PageInMaking): Promise<void> {
  if (page.isOver) return
  const { report, output } = page
  // What has been sent is not the whole body, so the answer is cut.
  const cut = (reason: unknown) => {
    if (page.isOver) return
    report.fail(reason)
    page.end()
  }
  page.clearTimer()
  try {
    const headers = withBefore(headersOf(response), name => report.headers[name])
    Object.assign(report.headers, headers)
    report.status = response.status
    report.noteResponse()
    const hasBody = report.noteHead()
    report.noteReady()
    output.tell()
    if (response.bodyUsed)
      throw new TypeError('the body of the response that `load` returned was read before')
    const reader = response.body?.getReader()
    const cancel = (reason: unknown) => void reader?.cancel(reason).catch(() => {})
    page.onAbort = reason => {
      cancel(reason)
      cut(reason)
    }
    if (!hasBody) cancel(undefined)
    else if (reader) await write(reader, output)
    if (!page.isOver) page.end()
  } catch (error) {
    cut(error)
  }
}

async function write(reader: ReadableStreamDefaultReader, output: PageOutput): Promise<void> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!types.isUint8Array(next.value)) throw new TypeError('the body of a response has bytes')
    const mayGoOn = output.write(next.value)
    output.flush()
    if (!mayGoOn) await new Promise<void>(resolve => output.on('drain', resolve))
  }
}
