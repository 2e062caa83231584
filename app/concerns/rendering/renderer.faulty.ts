import { type Hang, hang } from '../../../lib/hang.ts'
import type { PartCall } from '../../../render/protocol.ts'
import { render as renderWell } from './renderer.ts'

export { explain, stream, UpstreamDataError } from './renderer.ts'

/** A part that fault switches ask for; no page has it. */
export interface HangingPart {
  readonly name: 'hang'
  readonly index: 0
  readonly input: Pick<PartCall['input'], 'envelope' | 'data'> & { readonly hang: Hang }
}

/** The renderer, and that part. Loaded with `--faults` only. */
export function render(call: PartCall | HangingPart): string {
  if (call.name !== 'hang') return renderWell(call)
  hang(call.input.hang)
  return ''
}
