import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { assetHeaders, assetTypes } from '../../lib/assets.ts'
import { respond } from '../../lib/respond.ts'
import { contentSecurityPolicy } from '../../lib/security-headers.ts'
import { UserError } from '../../lib/user-error.ts'

/** The results of `npm run build` for `page/`. */
export const DIST = join(import.meta.dirname, 'dist')
export const PAGE_FILE = 'index.html'

/** Allows only files and requests of apm-agent itself. */
const POLICY = contentSecurityPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
})

export interface PageFile {
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Reads the live page and its files, by path.
 * @throws UserError when the page has not been built
 */
export function readLivePage(): Map<string, PageFile> {
  try {
    const html: PageFile = {
      type: 'text/html; charset=utf-8',
      headers: { 'cache-control': 'no-cache', 'content-security-policy': POLICY },
      body: readFileSync(join(DIST, PAGE_FILE)),
    }
    const assets = readdirSync(DIST).flatMap(name => {
      const type = assetTypes[extname(name)]
      if (!type) return []
      return [
        [`/assets/${name}`, { type, headers: assetHeaders, body: readFileSync(join(DIST, name)) }],
      ] as const
    })
    return new Map<string, PageFile>([['/', html], ...assets])
  } catch (error) {
    throw new UserError(`the live page is not built (${(error as Error).message}): run "npm run build"`)
  }
}

export function sendFile(response: ServerResponse, { type, headers, body }: PageFile): void {
  response.setHeaders(new Map(Object.entries(headers)))
  respond(response, 200, type, body)
}
