import {
  type Context,
  createTraceState,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type TextMapPropagator,
  type TraceState,
} from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'

const baggagePropagator = new W3CBaggagePropagator()

/** The propagator that OpenTelemetry's specification names as the default: W3C's trace context and baggage. */
export const propagator: TextMapPropagator = new CompositePropagator({
  propagators: [new W3CTraceContextPropagator(), baggagePropagator],
})

/** Headers that a request came with: names and values in turn. */
type Carried = readonly string[] | undefined

export const traceStateIn = (carried: Carried): TraceState | undefined => {
  const text = headerIn(carried, 'tracestate')
  return text === undefined ? undefined : createTraceState(text)
}

/** The context with the baggage that a request came with. */
export const withBaggage = (context: Context, carried: Carried): Context =>
  baggagePropagator.extract(context, { baggage: headerIn(carried, 'baggage') }, defaultTextMapGetter)

/** The headers that calls pass on in a context, besides `traceparent`: each call has one of its own. */
export function headersIn(context: Context): Readonly<Record<string, string>> {
  const carrier: Record<string, string> = {}
  propagator.inject(context, carrier, defaultTextMapSetter)
  delete carrier.traceparent
  return carrier
}

function headerIn(carried: Carried = [], name: string): string | undefined {
  const at = carried.indexOf(name)
  return at % 2 === 0 ? carried[at + 1] : undefined
}
