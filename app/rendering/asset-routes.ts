import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ASSETS } from '../../render/dist.ts'
import type { Route } from '../routes.ts'
import { chooseEncoding, encodings, withEncoding } from './compression.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const suffixes = { br: '.br', gzip: '.gz' } as const

/** The files of the page, from memory, compressed when they were built. Their names change with their content. */
export const createAssetRoutes = (): Route[] =>
  readdirSync(ASSETS)
    .filter(name => extname(name) in contentTypes)
    .map(createAssetRoute)

function createAssetRoute(name: string): Route {
  const read = (suffix: string) => readFileSync(join(ASSETS, `${name}${suffix}`))
  const plain = read('')
  const compressed = Object.fromEntries(encodings.map(encoding => [encoding, read(suffixes[encoding])]))
  const common = {
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  }
  return {
    path: `/assets/${name}`,
    handle(_query, _context, headers) {
      const encoding = chooseEncoding(headers)
      return {
        contentType: contentTypes[extname(name)] as string,
        headers: withEncoding(common, encoding),
        body: (encoding && compressed[encoding]) ?? plain,
      }
    },
  }
}
