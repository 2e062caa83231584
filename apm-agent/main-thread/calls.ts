import { channel } from 'node:diagnostics_channel'
import { field, recordKinds } from '../protocol.ts'
import { HTTP_1_1, methodId } from './http.ts'
import type { OpenSpan } from './open-spans.ts'
import type { SpanWriter } from './span-writer.ts'

/** The span of the request for which the running code works; undefined outside a request. */
export type CurrentSpan = () => unknown

/** The property of a call that holds its span. */
const SPAN = Symbol('span')

interface Call {
  [SPAN]?: OpenSpan
  readonly method: string
  readonly origin: string
  addHeader(name: string, value: string): void
}

interface CallMessage {
  readonly request: Call
  readonly response: { readonly statusCode: number }
  readonly error: Error
}

/** Records the upstream calls, which undici reports on its channels. */
export function recordCalls(writer: SpanWriter, currentSpan: CurrentSpan): void {
  const { spans } = writer
  const describe = ({ [SPAN]: span }: Call, offset: number, value: number) => {
    if (span) spans.set(span, offset, value)
  }
  const on = (name: string, take: (message: CallMessage) => void) =>
    channel(`undici:${name}`).subscribe(message => take(message as CallMessage))

  on('request:create', ({ request }) => begin(request, writer, currentSpan))
  on('client:sendHeaders', ({ request }) => describe(request, field.protocolVersion, HTTP_1_1))
  on('request:headers', ({ request, response }) => describe(request, field.status, response.statusCode))
  on('request:trailers', ({ request }) => end(request, writer))
  on('request:error', ({ request, error }) => end(request, writer, error))
}

function begin(call: Call, writer: SpanWriter, currentSpan: CurrentSpan): void {
  const { spans } = writer
  const parent = (currentSpan() ?? 0) as OpenSpan
  const span = parent
    ? spans.openChild(recordKinds.client, parent)
    : spans.openRoot(recordKinds.client, undefined)
  if (!span) return writer.miss()
  spans.set(span, field.method, methodId(call.method))
  writer.name(span, call.origin, field.authority)
  call.addHeader('traceparent', spans.traceparent(span))
  const carried = spans.carried(parent) ?? []
  for (let index = 0; index < carried.length; index += 2)
    call.addHeader(carried[index] as string, carried[index + 1] as string)
  call[SPAN] = span
}

function end(call: Call, writer: SpanWriter, error?: Error): void {
  const span = call[SPAN]
  if (!span) return
  call[SPAN] = 0
  // By the semantic conventions, a call that was cancelled on purpose is not an error.
  if (error && error.name !== 'AbortError') writer.fail(span, error)
  writer.end(span)
}
