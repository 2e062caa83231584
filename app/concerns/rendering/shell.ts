import { record } from '../../../lib/record.ts'
import { readStaticPage } from '../../../render/dist.ts'
import { type PageQuery, type Theme, themes } from '../../../render/page/query.ts'
import { type PagePart, partsNamed } from '../../../render/page-places.ts'
import { type PartName, partNames } from '../../../render/protocol.ts'

/** The static parts of the page as bytes, with the slots between them. */
export interface Shell {
  readonly pieces: Readonly<Record<Theme, readonly (Uint8Array | PartName)[]>>
  readonly fallbacks: Readonly<Record<PartName, Uint8Array>>
}

/** @throws UserError when the page has not been built */
export function loadShell(): Shell {
  const { shells, fallbacks } = readStaticPage()
  return {
    pieces: record(themes, theme =>
      shells[theme].map(piece => ('slot' in piece ? piece.slot : Buffer.from(piece.html))),
    ),
    fallbacks: record(partNames, part => Buffer.from(fallbacks[part])),
  }
}

/** The places of a page in page order, each with its static bytes or its part. */
export const placesOf = ({ pieces }: Shell, query: PageQuery): (Uint8Array | PagePart)[] =>
  pieces[query.theme].flatMap((piece): (Uint8Array | PagePart)[] =>
    piece instanceof Uint8Array ? [piece] : partsNamed(piece, query),
  )
