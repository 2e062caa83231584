import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../lib/cli/user-error.ts'
import { assetHeaders, assetTypes } from '../../lib/http/respond.ts'
import type { Route } from '../route.ts'
import type { Assets } from './view/data.ts'

/** The results of `npm run build` for the page. */
export const DIST = join(import.meta.dirname, 'dist')
export const SERVER_BUNDLE = join(DIST, 'server.js')
export const ASSETS = join(DIST, 'assets')
export const ASSET_NAMES = join(DIST, 'assets.json')

/** Loads the components and React. The types are those of the source, because the bundle has none. */
export const loadBundle = async (): Promise<typeof import('./view/server.tsx')> =>
  import(pathToFileURL(SERVER_BUNDLE).href)

/**
 * The paths of the files that the page loads.
 * @throws UserError when the page has not been built
 */
export function readAssets(): Assets {
  try {
    return JSON.parse(readFileSync(ASSET_NAMES, 'utf8'))
  } catch (error) {
    throw new UserError(`the page is not built (${(error as Error).message}): run "npm run build"`)
  }
}

/** The files of the page, served from memory. Their names change with their content. */
export const createAssetRoutes = (): Route[] =>
  readdirSync(ASSETS)
    .filter(name => extname(name) in assetTypes)
    .map(createAssetRoute)

function createAssetRoute(name: string): Route {
  const contentType = assetTypes[extname(name)] as string
  const body = readFileSync(join(ASSETS, name))
  return { path: `/assets/${name}`, handle: () => ({ contentType, headers: assetHeaders, body }) }
}
