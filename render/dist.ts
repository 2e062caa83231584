import { accessSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../lib/cli/user-error.ts'
import type { Theme } from './page/query.ts'
import type { PartName } from './protocol.ts'

/** The results of `npm run build` for `render/`. */
export const DIST = join(import.meta.dirname, 'page/dist')
export const SERVER_BUNDLE = join(DIST, 'server.js')
export const ASSETS = join(DIST, 'assets')
export const STATIC_PAGE = join(DIST, 'page.json')

/** Loads the components and React. The types are those of the source, because the bundle has none. */
export const loadBundle = async (): Promise<typeof import('./server.tsx')> =>
  import(pathToFileURL(SERVER_BUNDLE).href)

/** The static parts of the page, rendered when it is built. */
export interface StaticPage {
  /** HTML and names of the slots between, in page order. */
  readonly shells: Readonly<Record<Theme, readonly ShellPiece[]>>
  readonly fallbacks: Readonly<Record<PartName, string>>
}

export type ShellPiece = { readonly html: string } | { readonly slot: PartName }

/** @throws UserError when the page has not been built */
export function readStaticPage(): StaticPage {
  try {
    for (const made of [SERVER_BUNDLE, ASSETS]) accessSync(made)
    return JSON.parse(readFileSync(STATIC_PAGE, 'utf8'))
  } catch (error) {
    throw new UserError(`the page is not built (${(error as Error).message}): run "npm run build"`)
  }
}
