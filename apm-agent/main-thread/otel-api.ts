import {
  type Context,
  type ContextManager,
  context as contextApi,
  createTraceState,
  defaultTextMapGetter,
  defaultTextMapSetter,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type TextMapPropagator,
  type Tracer,
  type TraceState,
  trace,
} from '@opentelemetry/api'
import {
  CompositePropagator,
  isTracingSuppressed,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { ApiSpan, OwnSpan, type SpanRecorder } from './api-span.ts'
import { HEADERS, type Holder, SPAN, SUPPRESSED } from './calls.ts'
import { current } from './current.ts'
import type { Recorder } from './recorder.ts'

/** The trace of a log line, by OpenTelemetry's names for fields in other formats than OTLP. */
export interface TraceFields {
  readonly trace_id?: string
  readonly span_id?: string
  readonly trace_flags?: string
}

/**
 * Offers the spans of this process by OpenTelemetry's API: `trace.getActiveSpan()` for the fields of log lines, and a
 * tracer for spans of the service's own code, with their propagation to other processes and threads. Nothing is made for a
 * request whose code does not ask. If the service has registered an SDK already, the API stays with that.
 */
export function offerApi(recorder: Recorder): void {
  const tracer = createTracer(recorder)
  if (!trace.setGlobalTracerProvider({ getTracer: () => tracer })) return
  contextApi.setGlobalContextManager(createContextManager(recorder))
  propagation.setGlobalPropagator(propagator)
}

/** The fields that link a log line to the active span, for any logger: `pino({ mixin: traceFields })`. */
export function traceFields(): TraceFields {
  const context = trace.getActiveSpan()?.spanContext()
  if (!context) return {}
  const { traceId, spanId, traceFlags } = context
  return { trace_id: traceId, span_id: spanId, trace_flags: `0${traceFlags & 1}` }
}

type Arguments<Result> =
  | [run: (span: Span) => Result]
  | [options: SpanOptions, run: (span: Span) => Result]
  | [options: SpanOptions, context: Context, run: (span: Span) => Result]

/** Makes spans of the service's own code. Their kind is INTERNAL; times, links and events that are given are left out. */
export function createTracer(recorder: SpanRecorder): Tracer {
  function startSpan(name: string, options?: SpanOptions, context: Context = contextApi.active()): Span {
    if (isTracingSuppressed(context)) return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    const { attributes, root } = options ?? {}
    const parent = root ? undefined : trace.getSpan(context)
    const open = (parent instanceof ApiSpan && parent.holder[SPAN]) || 0
    const span = recorder.own.start(name, open, open ? undefined : traceparentOf(parent))
    return span
      ? new OwnSpan(recorder, { [SPAN]: span }, parent?.spanContext()?.traceState, attributes)
      : trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
  }

  function startActiveSpan<Result>(name: string, ...args: Arguments<Result>): Result {
    const run = args.at(-1) as (span: Span) => Result
    const options = args.length > 1 ? (args[0] as SpanOptions) : undefined
    const context = args.length > 2 ? (args[1] as Context) : contextApi.active()
    const span = startSpan(name, options, context)
    return contextApi.with(trace.setSpan(context, span), run, undefined, span)
  }

  return { startSpan, startActiveSpan }
}

/** The trace context of a span that is over, or of another process. */
function traceparentOf(span: Span | undefined): string | undefined {
  const context = span?.spanContext()
  if (!context || !isSpanContextValid(context)) return undefined
  const { traceId, spanId, traceFlags } = context
  return `00-${traceId}-${spanId}-0${typeof traceFlags === 'number' ? traceFlags & 1 : 0}`
}

/** The property of an answer with the context that was made for it. */
const CONTEXT = Symbol('context')

/** A context of the service's own code, which is current while a function runs. */
class Scope implements Holder {
  readonly context: Context
  readonly #holder: Holder | undefined
  #headers: Readonly<Record<string, string>> | undefined

  constructor(context: Context) {
    this.context = context
    const span = trace.getSpan(context)
    this.#holder = span instanceof ApiSpan ? span.holder : undefined
  }

  get [SPAN]() {
    return this.#holder?.[SPAN] ?? 0
  }

  get [SUPPRESSED]() {
    return isTracingSuppressed(this.context)
  }

  get [HEADERS]() {
    this.#headers ??= headersIn(this.context)
    return this.#headers
  }
}

/** Shows the current request, or the current span of own code, as the active context of OpenTelemetry's API. */
function createContextManager(recorder: Recorder): ContextManager {
  const contextOf = (holder: Holder & { [CONTEXT]?: Context }): Context => {
    if (!holder[CONTEXT] && holder[SPAN]) {
      const carried = recorder.carried(holder[SPAN])
      const span = new ApiSpan(recorder, holder, traceStateIn(carried))
      holder[CONTEXT] = withBaggage(trace.setSpan(ROOT_CONTEXT, span), carried)
    }
    return holder[CONTEXT] ?? ROOT_CONTEXT
  }
  const manager: ContextManager = {
    active() {
      const holder = current.getStore()
      if (holder instanceof Scope) return holder.context
      return holder ? contextOf(holder) : ROOT_CONTEXT
    },
    with: (context, run, thisArg, ...args) =>
      current.run(new Scope(context), () => run.apply(thisArg as ThisParameterType<typeof run>, args)),
    bind(context, target) {
      if (typeof target !== 'function') return target
      const run = target as unknown as (...args: unknown[]) => unknown
      return ((...args: unknown[]) => manager.with(context, run, undefined, ...args)) as typeof target
    },
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

const baggagePropagator = new W3CBaggagePropagator()

/** The propagator that OpenTelemetry's specification names as the default: W3C's trace context and baggage. */
const propagator: TextMapPropagator = new CompositePropagator({
  propagators: [new W3CTraceContextPropagator(), baggagePropagator],
})

/** Headers that a request came with: names and values in turn. */
type Carried = readonly string[] | undefined

const traceStateIn = (carried: Carried): TraceState | undefined => {
  const text = headerIn(carried, 'tracestate')
  return text === undefined ? undefined : createTraceState(text)
}

/** The context with the baggage that a request came with. */
const withBaggage = (context: Context, carried: Carried): Context =>
  baggagePropagator.extract(context, { baggage: headerIn(carried, 'baggage') }, defaultTextMapGetter)

/** The headers that calls pass on in a context, besides `traceparent`: each call has one of its own. */
function headersIn(context: Context): Readonly<Record<string, string>> {
  const carrier: Record<string, string> = {}
  propagator.inject(context, carrier, defaultTextMapSetter)
  delete carrier.traceparent
  return carrier
}

function headerIn(carried: Carried = [], name: string): string | undefined {
  const at = carried.indexOf(name)
  return at % 2 === 0 ? carried[at + 1] : undefined
}
