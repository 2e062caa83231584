import { isLate } from '../lib/threads/envelope.ts'
import { stackOf } from '../lib/threads/thrown.ts'
import { monotonicMs } from '../lib/units.ts'
import type { Dated, PartFailure, PartReply } from './protocol.ts'
import type { PartRenderer } from './renderer.ts'

const encoder = new TextEncoder()

/** Renders a part at once, with its HTML in UTF-8, unless its deadline has passed. It never rejects because of a part. */
export function renderCall<Call extends Dated>(
  renderer: PartRenderer<Call>,
  call: Call,
): PartReply | Promise<PartReply> {
  if (isLate(call.input.envelope)) return { kind: 'expired' }
  const startedAtMs = monotonicMs()
  try {
    const html = encoder.encode(renderer.render(call))
    return { kind: 'html', html, startedAtMs, runMs: monotonicMs() - startedAtMs }
  } catch (error) {
    return describeFailure(renderer, call, error)
  }
}

async function describeFailure<Call>(
  renderer: PartRenderer<Call>,
  call: Call,
  error: unknown,
): Promise<PartFailure> {
  return { kind: 'failed', stack: stackOf(error), componentStack: await renderer.explain(call) }
}
