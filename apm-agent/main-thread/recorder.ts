import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { CallTimes } from '../../lib/telemetry/call-times.ts'
import type { Sampling } from '../../lib/telemetry/otel-environment.ts'
import { monotonicMs } from '../../lib/units.ts'
import { field, methodId, recordKinds, versionId } from '../protocol.ts'
import type { BatchSink } from './batch.ts'
import {
  type Current,
  endCall,
  type Holder,
  headersOf,
  openCall,
  recordCalls,
  SPAN,
  takeReports,
} from './calls.ts'
import { recordHttpCalls } from './http-calls.ts'
import { isTraceparent, type OpenSpan, type OpenSpans } from './open-spans.ts'
import { OwnSpans } from './own-spans.ts'
import { SpanWriter } from './span-writer.ts'
import type { Strings } from './strings.ts'

/** The limit on strings that clients may choose, which are those of the Host header. */
const MAX_AUTHORITIES = 1024

/** The limit on routes that a framework says: a router below a path with parameters may say the path of each request. */
const MAX_ROUTES = 2048

/** A task, or a part of a page. */
type WorkKind = Extract<keyof typeof recordKinds, 'task' | 'render'>

/** Milliseconds from the call to the start, and from the start to the end. */
interface WorkTimes {
  readonly waitMs: number
  readonly runMs: number
}

/** An {@link OpenSpan}, or 0 or undefined without one. Its type is hidden from code that only passes it on. */
type SpanHandle = unknown

/** An answer, which holds the span of its request until it is sent. */
export type Answer = ServerResponse & Holder

interface RequestMessage {
  readonly request: IncomingMessage
  readonly response: Answer
  readonly server: Server
}

export interface RecorderOptions extends Current {
  readonly sampling: Sampling
  /**
   * Whether the whole process is recorded: requests to every server, not only to the one of `instrument`, and calls by
   * the client of node:http, not only by undici.
   */
  readonly recordsAll?: boolean
  /**
   * Makes a request the current one for everything that runs for it. Its span then ends after all listeners of the end of its
   * answer have run.
   */
  follow?(request: IncomingMessage, answer: Answer): void
  /** Says at the end of a request which route has answered it; undefined if that is unknown, or was said before. */
  routeOf?(answer: Answer): string | undefined
}

/**
 * Records spans at these points: the channels of node:http and undici, and the points where the app begins and ends
 * work.
 */
export class Recorder {
  /** The spans of the service's own code. */
  readonly own: OwnSpans
  protected readonly writer: SpanWriter
  readonly #spans: OpenSpans
  readonly #routeOf: RecorderOptions['routeOf']
  #server: Server | undefined

  constructor(sink: BatchSink, strings: Strings, options: RecorderOptions) {
    this.writer = new SpanWriter(sink, strings, options.sampling)
    this.#spans = this.writer.spans
    this.own = new OwnSpans(this.writer)
    this.#routeOf = options.routeOf
    const end = (answer: Answer) => this.#endRequest(answer)
    // All answers share one listener, so that a request makes no closure. They emit `close` once.
    const onClose = options.follow
      ? function (this: Answer) {
          process.nextTick(end, this)
        }
      : function (this: Answer) {
          end(this)
        }
    takeReports('http.server.request.start', ({ request, response, server }: RequestMessage) => {
      if (!options.recordsAll && server !== this.#server) return
      options.follow?.(request, response)
      this.#startRequest(request, response, onClose)
    })
    recordCalls(this.writer, options)
    if (options.recordsAll) recordHttpCalls(this.writer, options)
  }

  instrument(server: Server): void {
    this.#server = server
  }

  enterRoute(path: string, response: Answer): SpanHandle {
    const span = response[SPAN]
    if (!span) return 0
    this.writer.name(span, path)
    this.#spans.hold(span)
    return span
  }

  leaveRoute(span: SpanHandle): void {
    if (span) this.#spans.release(span as OpenSpan)
  }

  traceparent(span: SpanHandle): string | undefined {
    return span ? this.#spans.traceparent(span as OpenSpan) : undefined
  }

  /** Headers that came with the request of a span and are passed on: names and values in turn. */
  carried(span: SpanHandle): readonly string[] | undefined {
    return this.#spans.carried(span as OpenSpan)
  }

  /** @param startedAtMs the start by the monotonic clock, if it is not now */
  startWork(kind: WorkKind, name: string, parent: SpanHandle, startedAtMs?: number): SpanHandle {
    if (!parent) return 0
    const span = this.#spans.openChild(recordKinds[kind], parent as OpenSpan)
    if (span) {
      this.writer.name(span, name)
      if (startedAtMs !== undefined)
        this.#spans.setDuration(span, performance.now() - (monotonicMs() - startedAtMs), 0)
    } else if (this.#spans.isSampled(parent as OpenSpan)) this.writer.miss()
    return span
  }

  endWork(handle: SpanHandle, { waitMs, runMs }: WorkTimes): void {
    if (!handle) return
    this.#spans.setTimes(handle as OpenSpan, waitMs, runMs)
    this.writer.endWork(handle as OpenSpan)
  }

  failWork(handle: SpanHandle, error: Error): void {
    if (!handle) return
    this.writer.fail(handle as OpenSpan, error)
    this.writer.endWork(handle as OpenSpan)
  }

  startCall(url: string, parent: SpanHandle): SpanHandle {
    return openCall(this.writer, url, (parent ?? 0) as OpenSpan)
  }

  callHeaders(call: SpanHandle, parent: SpanHandle): Record<string, string> {
    return call ? headersOf(this.#spans, call as OpenSpan, (parent ?? 0) as OpenSpan) : {}
  }

  endCall(call: SpanHandle, times: CallTimes): void {
    if (call) endCall(this.writer, call as OpenSpan, times)
  }

  drop(span: SpanHandle): void {
    if (span) this.#spans.release(span as OpenSpan)
  }

  /** @param kind the kind by the semantic conventions */
  protected recordGarbageCollection(kind: string, startMs: number, durationMs: number): void {
    const record = this.#spans.openChild(recordKinds.gc, 0)
    if (!record) return
    this.writer.name(record, kind)
    this.#spans.setDuration(record, startMs, durationMs)
    this.writer.add(record)
    this.#spans.release(record)
  }

  #startRequest(request: IncomingMessage, response: Answer, end: (this: Answer) => void): void {
    const { headers, method, httpVersion } = request
    const span = this.#spans.openRoot(recordKinds.server, headers.traceparent as string | undefined)
    if (!span) return this.writer.miss()
    this.#spans.set(span, field.method, methodId(method))
    this.#spans.set(span, field.protocolVersion, versionId(httpVersion))
    if (headers.host) this.writer.name(span, headers.host, field.authority, MAX_AUTHORITIES)
    if (headers.tracestate || headers.baggage) this.#spans.carry(span, headersToPassOn(headers))
    response[SPAN] = span
    response.on('close', end)
  }

  #endRequest(response: Answer): void {
    const span = response[SPAN] as OpenSpan
    response[SPAN] = 0
    const route = this.#routeOf?.(response)
    if (route) this.writer.name(span, route, field.name, MAX_ROUTES)
    this.#spans.set(span, field.status, response.statusCode)
    this.writer.end(span)
  }
}

/**
 * The trace state, which is meaningless without its trace, and the baggage, up to the lengths that W3C's
 * recommendations demand. A longer header is left out and not cut.
 */
function headersToPassOn({ traceparent, tracestate, baggage }: IncomingMessage['headers']): string[] {
  const carried: string[] = []
  if (typeof tracestate === 'string' && tracestate.length <= 512 && isTraceparent(traceparent as string))
    carried.push('tracestate', tracestate)
  if (typeof baggage === 'string' && baggage.length <= 8192) carried.push('baggage', baggage)
  return carried
}
