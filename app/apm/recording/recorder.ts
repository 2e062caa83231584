import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { field, methods, protocolVersions, recordKinds } from '../../../apm-agent/protocol.ts'
import { requestContext } from '../../context.ts'
import { type Apm, errorTypeOf, type SpanHandle } from '../contract.ts'
import type { Batch, BatchSink } from './batch.ts'
import { type OpenSpan, OpenSpans } from './open-spans.ts'
import type { Strings } from './strings.ts'

const OPEN_SPANS = 16_384
const FLUSH_MS = 250
/** Of the strings, those that clients may choose: the Host header. */
const MAX_AUTHORITIES = 1024

/** Where a message of node:http or undici has its span. */
const SPAN = Symbol('span')
interface Spanned {
  [SPAN]?: OpenSpan
}

interface ServerMessage {
  readonly request: IncomingMessage
  readonly response: ServerResponse & Spanned
  readonly server: Server
}

interface ClientMessage {
  readonly request: Spanned & {
    readonly method: string
    readonly origin: string
    addHeader(name: string, value: string): void
  }
  readonly response: { readonly statusCode: number }
  readonly error: Error
}

const methodIds = new Map(methods.map((method, id) => [method, id]))
const versionIds = new Map(protocolVersions.map((version, id) => [version, id]))
const HTTP_1_1 = versionIds.get('1.1') as number

/** Records spans at the seams: the channels of node:http and undici, and the contracts of the concerns. */
export class Recorder implements Omit<Apm, 'watch' | 'counts' | 'close'> {
  /** Sampled spans that ended. */
  emitted = 0
  /** Those of them that found no room. */
  dropped = 0
  readonly #spans: OpenSpans
  readonly #strings: Strings
  readonly #sink: BatchSink
  #batch: Batch | undefined
  #server: Server | undefined

  /** @param ratio how many of the traces that begin here are sampled, 0 to 1 */
  constructor(sink: BatchSink, strings: Strings, ratio: number) {
    this.#sink = sink
    this.#strings = strings
    this.#spans = new OpenSpans(OPEN_SPANS, ratio)
    setInterval(() => sink.isIdle && this.flush(), FLUSH_MS).unref()
    const recorder = this
    const endRequest = function (this: ServerResponse & Spanned) {
      recorder.#endRequest(this)
    }
    subscribe<ServerMessage>('http.server.request.start', message => {
      if (message.server === this.#server) this.#startRequest(message, endRequest)
    })
    subscribe<ClientMessage>('undici:request:create', ({ request }) => this.#startCall(request))
    subscribe<ClientMessage>('undici:client:sendHeaders', ({ request }) =>
      this.#describeCall(request, field.protocolVersion, HTTP_1_1),
    )
    subscribe<ClientMessage>('undici:request:headers', ({ request, response }) =>
      this.#describeCall(request, field.status, response.statusCode),
    )
    subscribe<ClientMessage>('undici:request:trailers', ({ request }) => this.#endCall(request))
    subscribe<ClientMessage>('undici:request:error', ({ request, error }) => this.#endCall(request, error))
  }

  observe(server: Server): void {
    this.#server = server
  }

  enterRoute(path: string, response: ServerResponse & Spanned): SpanHandle {
    const span = response[SPAN]
    if (!span) return 0
    this.#spans.set(span, field.name, this.#strings.id(path))
    this.#spans.hold(span)
    return span
  }

  leaveRoute(span: SpanHandle): void {
    if (span) this.#spans.release(span as OpenSpan)
  }

  traceparent(span: SpanHandle): string | undefined {
    return span ? this.#spans.traceparent(span as OpenSpan) : undefined
  }

  startTask(name: string, parent: SpanHandle): SpanHandle {
    if (!parent) return 0
    const span = this.#spans.openChild(recordKinds.internal, parent as OpenSpan)
    if (span) this.#spans.set(span, field.name, this.#strings.id(name))
    return span
  }

  endTask(handle: SpanHandle, { waitMs, runMs }: { readonly waitMs: number; readonly runMs: number }): void {
    if (!handle) return
    this.#spans.setTimes(handle as OpenSpan, waitMs, runMs)
    this.#endTask(handle as OpenSpan)
  }

  failTask(handle: SpanHandle, error: Error): void {
    if (!handle) return
    this.#spans.fail(handle as OpenSpan, this.#strings.id(errorTypeOf(error)))
    this.#endTask(handle as OpenSpan)
  }

  /** @param kind of the semantic conventions */
  recordGarbageCollection(kind: string, startMs: number, durationMs: number): void {
    const record = this.#spans.openChild(recordKinds.gc, 0)
    if (!record) return
    this.#spans.set(record, field.name, this.#strings.id(kind))
    this.#spans.setDuration(record, startMs, durationMs)
    this.#add(record)
    this.#spans.release(record)
  }

  /** Sends what has been recorded. */
  flush(): void {
    if (!this.#batch?.records) return
    const batch = this.#batch
    this.#batch = undefined
    this.#sink.send(batch)
  }

  /** No metric is made of tasks: one that is not sampled has told what it had to, its trace context. */
  #endTask(span: OpenSpan): void {
    if (this.#spans.isSampled(span)) this.#end(span)
    else this.#spans.release(span)
  }

  #startRequest({ request, response }: ServerMessage, end: (this: ServerResponse & Spanned) => void): void {
    const { headers, method, httpVersion } = request
    const span = this.#spans.openRoot(recordKinds.server, headers.traceparent as string | undefined)
    if (!span) return this.#miss()
    this.#spans.set(span, field.method, methodIds.get(method as string) ?? 0)
    this.#spans.set(span, field.protocolVersion, versionIds.get(httpVersion) ?? 0)
    if (headers.host) this.#spans.set(span, field.authority, this.#strings.id(headers.host, MAX_AUTHORITIES))
    if (headers.tracestate || headers.baggage) this.#spans.carry(span, headersToPassOn(headers))
    response[SPAN] = span
    response.once('close', end)
  }

  #endRequest(response: ServerResponse & Spanned): void {
    const span = response[SPAN] as OpenSpan
    response[SPAN] = 0
    this.#spans.set(span, field.status, response.statusCode)
    this.#end(span)
  }

  #startCall(request: ClientMessage['request']): void {
    const parent = (requestContext.getStore()?.span ?? 0) as OpenSpan
    const span = parent
      ? this.#spans.openChild(recordKinds.client, parent)
      : this.#spans.openRoot(recordKinds.client, undefined)
    if (!span) return this.#miss()
    this.#spans.set(span, field.method, methodIds.get(request.method) ?? 0)
    this.#spans.set(span, field.authority, this.#strings.id(request.origin))
    request.addHeader('traceparent', this.#spans.traceparent(span))
    const carried = this.#spans.carried(parent) ?? []
    for (let index = 0; index < carried.length; index += 2)
      request.addHeader(carried[index] as string, carried[index + 1] as string)
    request[SPAN] = span
  }

  #describeCall(request: ClientMessage['request'], offset: number, value: number): void {
    if (request[SPAN]) this.#spans.set(request[SPAN], offset, value)
  }

  #endCall(request: ClientMessage['request'], error?: Error): void {
    const span = request[SPAN]
    if (!span) return
    request[SPAN] = 0
    // What was cancelled on purpose is no error, by the semantic conventions.
    if (error && error.name !== 'AbortError') this.#spans.fail(span, this.#strings.id(errorTypeOf(error)))
    this.#end(span)
  }

  #end(span: OpenSpan): void {
    this.#spans.end(span)
    this.#add(span)
    this.#spans.release(span)
  }

  #add(span: OpenSpan): void {
    const sampled = this.#spans.isSampled(span)
    if (sampled) this.emitted++
    this.#batch ??= this.#sink.take()
    if (!this.#batch) {
      if (sampled) this.dropped++
      return
    }
    this.#batch.add(this.#spans.memory, span)
    if (sampled) this.#batch.spans++
    if (this.#batch.isFull) this.flush()
  }

  /** More spans are open than there is room for. */
  #miss(): void {
    this.emitted++
    this.dropped++
  }
}

function subscribe<Message>(name: string, onMessage: (message: Message) => void): void {
  channel(name).subscribe(message => onMessage(message as Message))
}

/** Trace state and baggage by W3C's recommendations. */
const headersToPassOn = ({ tracestate, baggage }: IncomingMessage['headers']): string[] =>
  Object.entries({ tracestate, baggage }).flatMap(([name, value]) => (value ? [name, String(value)] : []))
