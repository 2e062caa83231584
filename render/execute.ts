import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { isLate } from '../lib/threads/envelope.ts'
import { stackOf } from '../lib/threads/thrown.ts'
import { monotonicMs } from '../lib/units.ts'
import type { PageData } from './page-data.ts'
import type { Dated, PartCall, PartFailure, PartReply } from './protocol.ts'
import type { PartRenderer, Renderer } from './renderer.ts'
import type { PageDataFile } from './thread-data.ts'

export const loadRenderer = async (file: string): Promise<Renderer> => import(pathToFileURL(file).href)

/** Loads the file that fetches the data of pages in a render thread. */
export async function loadPageData({ file, options }: PageDataFile): Promise<PageData> {
  const { createPageData } = await import(pathToFileURL(file).href)
  return createPageData(options)
}

const encoder = new TextEncoder()

/** The HTML of a part that is not encoded yet. Times are in milliseconds, the start by the monotonic clock. */
export interface PartText {
  readonly kind: 'text'
  readonly text: string
  readonly startedAtMs: number
  readonly runMs: number
}

/** Renders a part at once, unless its deadline has passed. It never rejects because of a part. */
export function renderText<Call extends Dated>(
  renderer: PartRenderer<Call>,
  call: Call,
): PartText | PartFailure | Promise<PartFailure> {
  if (isLate(call.input.envelope)) return { kind: 'expired' }
  const startedAtMs = monotonicMs()
  try {
    const text = renderer.render(call)
    return { kind: 'text', text, startedAtMs, runMs: monotonicMs() - startedAtMs }
  } catch (error) {
    return describeFailure(renderer, call, error)
  }
}

/** The same with the HTML in UTF-8. */
export function renderCall<Call extends Dated>(
  renderer: PartRenderer<Call>,
  call: Call,
): PartReply | Promise<PartReply> {
  const reply = renderText(renderer, call)
  if (reply instanceof Promise || reply.kind !== 'text') return reply
  const { text, startedAtMs } = reply
  const html = encoder.encode(text)
  return { kind: 'html', html, startedAtMs, runMs: monotonicMs() - startedAtMs }
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

async function describeFailure<Call>(
  renderer: PartRenderer<Call>,
  call: Call,
  error: unknown,
): Promise<PartFailure> {
  if (renderer.UpstreamDataError && types.isNativeError(error) && error instanceof renderer.UpstreamDataError)
    return { kind: 'bad data', message: error.message }
  return { kind: 'failed', stack: stackOf(error), componentStack: await renderer.explain(call) }
}
