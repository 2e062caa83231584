import { accessSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../lib/user-error.ts'
import type { Theme } from './page/query.ts'
import type { PartName } from './protocol.ts'

/** What `npm run build` makes of `render/`. */
export const DIST = join(import.meta.dirname, 'dist')
export const SERVER_BUNDLE = join(DIST, 'server.js')
export const ASSETS = join(DIST, 'assets')
export const STATIC_PAGE = join(DIST, 'page.json')

/** Components and React. Its types are those of its source: what is built has none. */
export const loadBundle = async (): Promise<typeof import('./server.tsx')> =>
  import(pathToFileURL(SERVER_BUNDLE).href)

/** The static parts of the page, rendered when it is built. */
export interface StaticPage {
  /** In page order: HTML, and names of the slots between. */
  readonly shells: Readonly<Record<Theme, readonly ShellPiece[]>>
  readonly fallbacks: Readonly<Record<PartName, string>>
}

export type ShellPiece = { readonly html: string } | { readonly slot: PartName }

/** @throws UserError when it is not built */
export function readStaticPage(): StaticPage {
  try {
    for (const made of [SERVER_BUNDLE, ASSETS]) accessSync(made)
    return JSON.parse(readFileSync(STATIC_PAGE, 'utf8'))
  } catch (error) {
    throw new UserError(`the page is not built (${(error as Error).message}): run "npm run build"`)
  }
}
