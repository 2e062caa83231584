import {
  type Attributes,
  type AttributeValue,
  type Exception,
  type Span,
  type SpanContext,
  type SpanStatus,
  SpanStatusCode,
  type TraceState,
} from '@opentelemetry/api'
import { errorTypeOf } from '../../lib/telemetry/call-times.ts'
import { SpanAttributes } from './attributes.ts'
import { type Holder, SPAN } from './calls.ts'
import type { Recorder } from './recorder.ts'

/** The functions of the recorder that a span of the API uses. */
export type SpanRecorder = Pick<Recorder, 'own' | 'traceparent'>

/** A span of a request, as OpenTelemetry's API shows it. Only its status can be changed: the rest is the recorder's. */
export class ApiSpan implements Span {
  readonly holder: Holder
  protected readonly recorder: SpanRecorder
  readonly #context: SpanContext
  #errorType = errorTypeOf(undefined)

  /** @param holder holds an open span */
  constructor(recorder: SpanRecorder, holder: Holder, traceState: TraceState | undefined) {
    this.recorder = recorder
    this.holder = holder
    const [, traceId = '', spanId = '', flags = '0'] = recorder.traceparent(holder[SPAN])?.split('-') ?? []
    this.#context = {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16),
      ...(traceState && { traceState }),
    }
  }

  spanContext(): SpanContext {
    return this.#context
  }

  isRecording(): boolean {
    return Boolean(this.holder[SPAN]) && this.#context.traceFlags === 1
  }

  recordException(exception: Exception): void {
    this.#errorType = errorTypeOf(exception)
  }

  setStatus(status: SpanStatus): this {
    if (status?.code === SpanStatusCode.ERROR && this.holder[SPAN])
      this.recorder.own.fail(this.holder[SPAN], this.#errorType)
    return this
  }

  setAttribute(_key: string, _value: AttributeValue): this {
    return this
  }

  setAttributes(_attributes: Attributes): this {
    return this
  }

  addEvent = () => this
  addLink = () => this
  addLinks = () => this
  updateName = () => this
  end(): void {}
}

/** A span of the service's own code. */
export class OwnSpan extends ApiSpan {
  readonly #attributes = new SpanAttributes()

  constructor(
    recorder: SpanRecorder,
    holder: Holder,
    traceState: TraceState | undefined,
    attributes: Attributes | undefined,
  ) {
    super(recorder, holder, traceState)
    this.#attributes.setAll(attributes)
  }

  override setAttribute(key: string, value: AttributeValue): this {
    this.#attributes.set(key, value)
    return this
  }

  override setAttributes(attributes: Attributes): this {
    this.#attributes.setAll(attributes)
    return this
  }

  override end(): void {
    const span = this.holder[SPAN]
    if (!span) return
    this.holder[SPAN] = 0
    this.recorder.own.end(span, this.#attributes.toJson())
  }
}
