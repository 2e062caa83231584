import type { ShellPiece } from './dist.ts'
import type { PageQuery } from './page/query.ts'
import { parts } from './parts.ts'
import type { PartCall, PartName } from './protocol.ts'

/** A part of a page, and its number among the parts of the same name. */
export interface PagePart {
  readonly name: PartName
  readonly index: number
}

/** A part that can be rendered, because its data is there. */
export interface ReadyPart {
  readonly place: number
  readonly call: PartCall
  /** The arrival of its data by the monotonic clock, in milliseconds. */
  readonly askedAtMs: number
}

/** The parts of this name on a page, in page order. */
export const partsNamed = (name: PartName, query: PageQuery): PagePart[] =>
  Array.from({ length: parts[name].count(query) }, (_, index) => ({ name, index }))

/** The places of a page in page order, each with its static HTML or its part. */
export const placesOf = (pieces: readonly ShellPiece[], query: PageQuery): (string | PagePart)[] =>
  pieces.flatMap((piece): (string | PagePart)[] =>
    'html' in piece ? [piece.html] : partsNamed(piece.slot, query),
  )

/** Whether a place is that of a part. The places between are static, as text or as bytes. */
export const isPart = (place: string | Uint8Array | PagePart): place is PagePart =>
  typeof place === 'object' && 'name' in place
