import { pathToFileURL } from 'node:url'
import { isLate } from '../lib/envelope.ts'
import { monotonicMs } from '../lib/units.ts'
import type { PartCall, PartReply, Renderer } from './protocol.ts'

export const loadRenderer = async (file: string): Promise<Renderer> => import(pathToFileURL(file).href)

const encoder = new TextEncoder()

/** Renders a part at once, unless its deadline has passed. It never rejects because of a part. */
export function renderCall(renderer: Renderer, call: PartCall): PartReply | Promise<PartReply> {
  if (isLate(call.input.envelope)) return { kind: 'expired' }
  const startedAtMs = monotonicMs()
  try {
    const html = encoder.encode(renderer.render(call))
    return { kind: 'html', html, startedAtMs, runMs: monotonicMs() - startedAtMs }
  } catch (error) {
    return describeFailure(renderer, call, error)
  }
}

/** Renders a part with React's streaming renderer. It never rejects because of a part. */
export async function streamCall(renderer: Renderer, call: PartCall): Promise<PartReply> {
  if (isLate(call.input.envelope)) return { kind: 'expired' }
  const startedAtMs = monotonicMs()
  try {
    const html = new Uint8Array(await renderer.stream(call))
    return { kind: 'html', html, startedAtMs, runMs: monotonicMs() - startedAtMs }
  } catch (error) {
    return describeFailure(renderer, call, error)
  }
}

async function describeFailure(renderer: Renderer, call: PartCall, error: unknown): Promise<PartReply> {
  if (error instanceof renderer.UpstreamDataError) return { kind: 'bad data', message: error.message }
  const stack = (error instanceof Error && error.stack) || String(error)
  return { kind: 'failed', stack, componentStack: await renderer.explain(call) }
}
