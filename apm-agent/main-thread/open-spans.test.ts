import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ROOT_CONTEXT } from '@opentelemetry/api'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import { field, RECORD_BYTES, recordKinds } from '../protocol.ts'
import { OpenSpans } from './open-spans.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${TRACE_ID}-b7ad6b7169203331-01`

const parentBased = (ratio: number) => ({ isParentBased: true, ratio })

describe('open spans', () => {
  test('continue a received trace', () => {
    const spans = new OpenSpans(4, parentBased(0))
    const span = spans.openRoot(recordKinds.server, traceparent)
    assert.match(spans.traceparent(span), new RegExp(`^00-${TRACE_ID}-[\\da-f]{16}-01$`))
    assert.equal(hex(spans, span, 'parentSpanId'), 'b7ad6b7169203331')
    const child = spans.openChild(recordKinds.task, span)
    assert.match(spans.traceparent(child), new RegExp(`^00-${TRACE_ID}-[\\da-f]{16}-01$`))
    assert.equal(hex(spans, child, 'parentSpanId'), hex(spans, span, 'spanId'))
  })

  test('begin a trace without a valid one, and read the known part of a later version', () => {
    for (const header of [
      ...[undefined, '', 'nonsense', traceparent.toUpperCase(), `${traceparent}-more`],
      traceparent.replace(/^00/, 'ff'),
      traceparent.replace(TRACE_ID, '0'.repeat(32)),
      traceparent.replace('b7ad6b7169203331', '0'.repeat(16)),
    ]) {
      const spans = new OpenSpans(1, parentBased(1))
      const span = spans.openRoot(recordKinds.server, header)
      assert.notEqual(hex(spans, span, 'traceId'), TRACE_ID, String(header))
      assert.equal(hex(spans, span, 'parentSpanId'), '0'.repeat(16), String(header))
    }
    const spans = new OpenSpans(1, parentBased(0))
    const span = spans.openRoot(recordKinds.server, `01${traceparent.slice(2)}-more`)
    assert.equal(hex(spans, span, 'traceId'), TRACE_ID)
  })

  test("are sampled as OpenTelemetry's sampler by ratio decides", () => {
    const ratio = 0.3
    const spans = new OpenSpans(1000, parentBased(ratio))
    const sampler = new TraceIdRatioBasedSampler(ratio)
    let sampled = 0
    for (let index = 0; index < 1000; index++) {
      const span = spans.openRoot(recordKinds.server, undefined)
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, hex(spans, span, 'traceId'))
      assert.equal(spans.isSampled(span), decision === SamplingDecision.RECORD_AND_SAMPLED)
      if (spans.isSampled(span)) sampled++
    }
    // The limits are four standard deviations around 300.
    assert.ok(sampled > 242 && sampled < 358, String(sampled))
  })

  test('are refused without room, and are free once all holders have released them', () => {
    const spans = new OpenSpans(1, parentBased(1))
    const span = spans.openRoot(recordKinds.server, undefined)
    assert.equal(spans.openRoot(recordKinds.server, undefined), 0)
    spans.hold(span)
    spans.release(span)
    assert.equal(spans.openRoot(recordKinds.server, undefined), 0)
    spans.release(span)
    assert.equal(spans.openRoot(recordKinds.server, undefined), span)
  })

  test('carry nothing over to the next span in the same place', () => {
    const spans = new OpenSpans(1, parentBased(1))
    const first = spans.openRoot(recordKinds.client, traceparent)
    spans.carry(first, ['baggage', 'a=1'])
    spans.set(first, field.status, 500)
    spans.fail(first, 7)
    spans.end(first)
    spans.release(first)
    const second = spans.openRoot(recordKinds.server, undefined)
    assert.equal(second, first)
    assert.equal(spans.carried(second), undefined)
    const words = spans.memory.uint16.subarray(second / 2, (second + RECORD_BYTES) / 2)
    assert.deepEqual(
      [field.status, field.errorType, field.flags].map(offset => words[offset / 2]),
      [0, 0, 1],
    )
  })
})

function hex({ memory }: OpenSpans, span: number, name: 'traceId' | 'spanId' | 'parentSpanId'): string {
  const bytes = name === 'traceId' ? 16 : 8
  return memory.bytes.toString('hex', span + field[name], span + field[name] + bytes)
}
