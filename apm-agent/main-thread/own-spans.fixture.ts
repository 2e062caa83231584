import type { Tracer } from '@opentelemetry/api'
import { field, HEADER_BYTES, RECORD_BYTES } from '../protocol.ts'
import { Batch, type BatchSink } from './batch.ts'
import { createTracer } from './otel-api.ts'
import { OwnSpans } from './own-spans.ts'
import { SpanWriter } from './span-writer.ts'
import { Strings } from './strings.ts'

interface Recorded {
  readonly name: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly errorType: string | undefined
}

/** A tracer whose spans go nowhere. It is not the global one. */
export function createTestTracer() {
  const batches: Batch[] = []
  const sink: BatchSink = {
    takesPartialBatches: true,
    take: () => new Batch(),
    send: batch => void batches.push(batch),
  }
  const strings = new Strings()
  const writer = new SpanWriter(sink, strings, { isParentBased: true, ratio: 1 })
  const recorder = {
    own: new OwnSpans(writer),
    traceparent: (span: unknown) => writer.spans.traceparent(span as number),
  }
  const tracer: Tracer = createTracer(recorder)

  /** The spans that ended since the last call. */
  function recorded(): Recorded[] {
    writer.flush()
    const known = strings.from(0)
    const textAt = ({ memory }: Batch, index: number, offset: number) =>
      known[memory.uint16[(HEADER_BYTES + index * RECORD_BYTES + offset) >> 1] as number] || undefined
    return batches.splice(0).flatMap(batch =>
      Array.from({ length: batch.records }, (_, index) => ({
        name: textAt(batch, index, field.name),
        attributes: JSON.parse(textAt(batch, index, field.attributes) ?? '{}'),
        errorType: textAt(batch, index, field.errorType),
      })),
    )
  }

  return { tracer, writer, strings, recorded, dropped: () => writer.dropped }
}
