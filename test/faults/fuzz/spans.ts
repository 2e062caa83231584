import assert from 'node:assert/strict'
import type { Attributes, SpanStatus } from '@opentelemetry/api'
import { createTestTracer } from '../../../apm-agent/main-thread/own-spans.fixture.ts'
import { Draw } from './draw.ts'
import { drawValue } from './odd-values.ts'

/** A list that is nested more deeply than `JSON.stringify` can follow. */
const DEEP = JSON.parse(`${'['.repeat(2e4)}${']'.repeat(2e4)}`)

/**
 * Makes spans with odd names, attributes and errors. None may throw, each must be recorded, and none may keep its place.
 * @returns the number of spans
 */
export async function fuzzSpans(_directory: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  const { tracer, strings, recorded, dropped } = createTestTracer()
  // A full run has more spans than have room at once, which shows whether each gives its place back.
  for (let sent = 0; sent < inputs; sent++) {
    const attributes = draw.chance(0.3)
      ? drawValue(draw)
      : Object.fromEntries([[draw.text(6), drawValue(draw)]])
    const span = tracer.startSpan((draw.chance(0.8) ? draw.text(6) : drawValue(draw)) as string, {
      attributes: attributes as Attributes,
    })
    for (const value of draw.times(3, () => (draw.chance(0.02) ? DEEP : drawValue(draw))))
      span.setAttribute(draw.text(6), value as string)
    span.setAttributes(drawValue(draw) as Attributes)
    span.recordException(drawValue(draw) as Error)
    if (draw.chance(0.5)) span.setStatus({ code: 2, message: drawValue(draw) } as SpanStatus)
    assert.equal(span.isRecording(), true)
    span.end(drawValue(draw) as Date)
    if (sent % 500 > 0) continue
    for (const { attributes } of recorded()) assert.equal(typeof attributes, 'object')
  }
  assert.equal(dropped(), 0)
  for (const text of strings.from(0)) assert.equal(typeof text, 'string')
  return inputs
}
