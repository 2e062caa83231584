import { field, recordKinds } from '../protocol.ts'
import type { OpenSpan } from './open-spans.ts'
import type { SpanWriter } from './span-writer.ts'

/** The limit on sets of attributes. A service that has more of them has attributes of high cardinality. */
const MAX_ATTRIBUTES = 1024

/** The spans of the service's own code. */
export class OwnSpans {
  readonly #writer: SpanWriter

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
    const { spans } = this.#writer
    const span = parent
      ? spans.openChild(recordKinds.own, parent)
      : spans.openRoot(recordKinds.own, traceparent)
    if (span) this.#writer.name(span, name)
    else this.#writer.miss()
    return span
  }

  /** @param attributes as JSON; they are left out if there are too many different ones */
  end(span: OpenSpan, attributes: string): void {
    if (attributes !== '{}') this.#writer.name(span, attributes, field.attributes, MAX_ATTRIBUTES)
    this.#writer.endWork(span)
  }

  /** Marks a span as failed; that of a request, too. */
  fail(span: OpenSpan, errorType: string): void {
    this.#writer.failAs(span, errorType)
  }
}
