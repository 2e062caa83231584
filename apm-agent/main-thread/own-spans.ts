import { field, recordKinds } from '../protocol.ts'
import type { OpenSpan } from './open-spans.ts'
import { OPEN_SPANS, type SpanWriter } from './span-writer.ts'

/** The limit on sets of attributes. A service that has more of them has attributes of high cardinality. */
const MAX_ATTRIBUTES = 1024

/** The limit on open own spans: a service that forgets to end some still has room for the spans of its requests. */
const MAX_OPEN = OPEN_SPANS / 2

/** The spans of the service's own code. */
export class OwnSpans {
  readonly #writer: SpanWriter
  #open = 0

  constructor(writer: SpanWriter) {
    this.#writer = writer
  }

  /**
   * Opens a span.
   * @param parent an open span, 0 without one
   * @param traceparent the trace context that the span continues if `parent` is 0
   * @returns 0 if there is no room
   */
  start(name: string, parent: OpenSpan, traceparent: string | undefined): OpenSpan {
    if (this.#open === MAX_OPEN) {
      this.#writer.miss()
      return 0
    }
    const span = this.#writer.open(recordKinds.own, parent, traceparent)
    if (span) {
      this.#open++
      this.#writer.name(span, name)
    }
    return span
  }

  /** @param attributes as JSON; they are left out if there are too many different ones */
  end(span: OpenSpan, attributes: string): void {
    this.#open--
    if (attributes !== '{}') this.#writer.name(span, attributes, field.attributes, MAX_ATTRIBUTES)
    this.#writer.endWork(span)
  }

  /** Marks a span as failed; that of a request, too. */
  fail(span: OpenSpan, errorType: string): void {
    this.#writer.failAs(span, errorType)
  }
}
