import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { assetHeaders, assetTypes } from '../../lib/http/respond.ts'
import type { Route } from '../route.ts'
import { chooseEncoding, encodings, withEncoding } from './compression.ts'
import { ASSETS } from './dist.ts'

const suffixes = { br: '.br', gzip: '.gz' } as const

/**
 * The files of the page, served from memory. They were compressed when they were built, and their names change with
 * their content.
 */
export const createAssetRoutes = (): Route[] =>
  readdirSync(ASSETS)
    .filter(name => extname(name) in assetTypes)
    .map(createAssetRoute)

function createAssetRoute(name: string): Route {
  const read = (suffix: string) => readFileSync(join(ASSETS, `${name}${suffix}`))
  const plain = read('')
  const compressed = Object.fromEntries(encodings.map(encoding => [encoding, read(suffixes[encoding])]))
  const common = { ...assetHeaders, vary: 'accept-encoding' }
  return {
    path: `/assets/${name}`,
    handle(_query, _context, headers) {
      const encoding = chooseEncoding(headers)
      return {
        contentType: assetTypes[extname(name)] as string,
        headers: withEncoding(common, encoding),
        body: (encoding && compressed[encoding]) ?? plain,
      }
    },
  }
}
