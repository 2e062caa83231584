import { type Hang, hang } from '../../../lib/threads/hang.ts'
import type { PartCall } from '../../../render/protocol.ts'
import { render as renderWell } from './renderer.ts'

export { explain, stream, UpstreamDataError } from './renderer.ts'

/** A part that only fault switches request; no page has it. */
export interface HangingPart {
  readonly name: 'hang'
  readonly index: 0
  readonly input: Pick<PartCall['input'], 'envelope' | 'data'> & { readonly hang: Hang }
}

/** The renderer with the hanging part. It is loaded with `--faults` only. */
export function render(call: PartCall | HangingPart): string {
  if (call.name !== 'hang') return renderWell(call)
  hang(call.input.hang)
  return ''
}
