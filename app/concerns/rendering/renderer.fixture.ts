import type { PartCall } from '../../../render/protocol.ts'
import { render as renderWell } from './renderer.ts'

export { explain, stream, UpstreamDataError } from './renderer.ts'

/** For these seeds the second part of the order list does not render. */
export const misbehaving = { loops: 1001, dies: 1002 } as const

/** The renderer, with parts that never end or that end their thread. */
export function render(call: PartCall): string {
  const { seed } = call.input.query
  if (call.name === 'orders' && call.index === 1) {
    for (; seed === misbehaving.loops; );
    if (seed === misbehaving.dies) process.exit()
  }
  return renderWell(call)
}
