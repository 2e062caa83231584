import { channel } from 'node:diagnostics_channel'
import { performance } from 'node:perf_hooks'
import { createComplaint } from '../../lib/cli/terminal.ts'
import type { CallTimes } from '../../lib/telemetry/call-times.ts'
import { monotonicMs } from '../../lib/units.ts'
import { field, HTTP_1_1, methodId, recordKinds } from '../protocol.ts'
import type { OpenSpan, OpenSpans } from './open-spans.ts'
import type { SpanWriter } from './span-writer.ts'

/** What the running code works for. */
export interface Current {
  /** The span of the request; undefined outside a request. */
  currentSpan(): unknown
  /** The headers that calls pass on instead of those that came with the request; undefined if there are no others. */
  currentHeaders?(): Readonly<Record<string, string>> | undefined
  /** Whether the running code has said that its calls are not to be recorded (`suppressTracing` of OpenTelemetry). */
  isSuppressed?(): boolean
}

/** The property of a request, an answer or a call that holds its span. */
export const SPAN = Symbol('span')

interface Call {
  readonly origin: string
  readonly method: string
}

interface UndiciCall extends Call, Holder {
  /** Names and values in turn. Its method `addHeader` would add a name that is there once more. */
  readonly headers: unknown[]
}

/** The property of a scope of the service's own code with the headers that its calls pass on. */
export const HEADERS = Symbol('headers')

/** The property of such a scope that says whether its calls and spans are not to be recorded. */
export const SUPPRESSED = Symbol('suppressed')

/** An object that holds a span while the span is open. */
export interface Holder {
  [SPAN]?: OpenSpan
  /** If it is absent, calls pass on what came with the request. */
  readonly [HEADERS]?: Readonly<Record<string, string>>
  readonly [SUPPRESSED]?: boolean
}

interface CallMessage {
  readonly request: UndiciCall
  readonly response: { readonly statusCode: number }
  readonly error: Error
}

/** Records the upstream calls of this thread, which undici reports on its channels. `fetch` is undici's, too. */
export function recordCalls(writer: SpanWriter, current: Current): void {
  const { spans } = writer
  const describe = ({ [SPAN]: span }: Holder, offset: number, value: number) => {
    if (span) spans.set(span, offset, value)
  }
  const on = (name: string, take: (message: CallMessage) => void) => takeReports(`undici:${name}`, take)

  on('request:create', ({ request }) => {
    request[SPAN] = begin(request, writer, current, (name, value) => setHeader(request, name, value))
  })
  on('client:sendHeaders', ({ request }) => describe(request, field.protocolVersion, HTTP_1_1))
  on('request:headers', ({ request, response }) => describe(request, field.status, response.statusCode))
  on('request:trailers', ({ request }) => end(request, writer))
  on('request:error', ({ request, error }) => end(request, writer, error))
}

/** Opens the span of a call. @returns 0 if there is no room */
export function openCall(writer: SpanWriter, origin: string, parent: OpenSpan, method = 'GET'): OpenSpan {
  const span = writer.open(recordKinds.client, parent)
  if (!span) return 0
  writer.spans.set(span, field.method, methodId(method))
  writer.name(span, origin, field.authority)
  return span
}

/** The headers that a call passes on: its own trace context, and what came with the request. */
export function headersOf(
  spans: OpenSpans,
  span: OpenSpan,
  parent: OpenSpan,
  others?: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = { traceparent: spans.traceparent(span), ...others }
  if (others) return headers
  const carried = spans.carried(parent) ?? []
  for (let index = 0; index < carried.length; index += 2)
    headers[carried[index] as string] = carried[index + 1] as string
  return headers
}

/** Ends the span of a call that another thread has made. */
export function endCall(writer: SpanWriter, span: OpenSpan, times: CallTimes): void {
  const { startedAtMs, durationMs, wasSent, status, errorType } = times
  const { spans } = writer
  if (wasSent) spans.set(span, field.protocolVersion, HTTP_1_1)
  if (status) spans.set(span, field.status, status)
  if (errorType) writer.failAs(span, errorType)
  spans.setDuration(span, performance.now() - (monotonicMs() - startedAtMs), durationMs)
  writer.add(span)
  spans.release(span)
}

/**
 * Opens the span of a call that this thread makes, and sets its trace context as headers of the call.
 * @param set replaces a header that the service has given: one that forwards the headers of its request has a trace context
 * @returns 0 if there is no room, or if the call is not to be recorded
 */
export function begin(
  call: Call,
  writer: SpanWriter,
  current: Current,
  set: (name: string, value: string) => void,
): OpenSpan {
  if (current.isSuppressed?.()) return 0
  const parent = (current.currentSpan() ?? 0) as OpenSpan
  const span = openCall(writer, call.origin, parent, call.method)
  if (!span) return 0
  const headers = headersOf(writer.spans, span, parent, current.currentHeaders?.())
  for (const [name, value] of Object.entries(headers)) set(name, value)
  return span
}

/** @param name in small letters */
function setHeader({ headers }: UndiciCall, name: string, value: string): void {
  let given = headers.length
  for (let at = headers.length - 2; at >= 0; at -= 2) {
    if (String(headers[at]).toLowerCase() !== name) continue
    if (given < headers.length) headers.splice(given, 2)
    given = at
  }
  headers.splice(given, 2, name, value)
}

/** Ends the span of such a call; nothing happens if it has none, or none any more. */
export function end(call: Holder, writer: SpanWriter, error?: Error): void {
  const span = call[SPAN]
  if (!span) return
  call[SPAN] = 0
  // By the semantic conventions, a call that was cancelled on purpose is not an error.
  if (error && error.name !== 'AbortError') writer.fail(span, error)
  writer.end(span)
}

const complain = createComplaint()

/**
 * Takes what Node.js or a library reports on a channel. The objects of a report belong to other people's code, in versions that are
 * not known here, so what `take` throws is said on stderr: Node.js would end the process with it.
 */
export function takeReports<Message>(name: string, take: (message: Message) => void): void {
  channel(name).subscribe(message => {
    try {
      take(message as Message)
    } catch (error) {
      complain(`apm-agent: telemetry lacks what ${name} reports (${(error as Error)?.message})`)
    }
  })
}
