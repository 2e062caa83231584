import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import { assetHeaders, assetTypes } from '../../lib/http/assets.ts'
import { PAGE_TYPE, respond } from '../../lib/http/respond.ts'
import { contentSecurityPolicy } from '../../lib/http/security-headers.ts'

/** The results of `npm run build` for `page/`. */
export const DIST = join(import.meta.dirname, 'dist')
export const PAGE_FILE = 'index.html'

/** Allows only files and requests of apm-agent itself. */
const OWN = {
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
}
const POLICY = contentSecurityPolicy(OWN)
/** Slides on any site, or in a file, may show the page in a frame, too. */
export const FRAMED_POLICY = contentSecurityPolicy({ ...OWN, 'frame-ancestors': '* file:' })

export interface PageFile {
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** @throws UserError when the page has not been built */
export const readLivePage = (): Map<string, PageFile> => readPage(DIST, 'the live page')

/**
 * Reads a page and its files, by path.
 * @param directory the results of the build
 * @param policy its content security policy
 * @throws UserError when the page has not been built
 */
export function readPage(directory: string, name: string, policy = POLICY): Map<string, PageFile> {
  try {
    const html: PageFile = {
      type: PAGE_TYPE,
      headers: { 'cache-control': 'no-cache', 'content-security-policy': policy },
      body: readFileSync(join(directory, PAGE_FILE)),
    }
    const assets = readdirSync(directory).flatMap(file => {
      const type = assetTypes[extname(file)]
      if (!type) return []
      return [
        [`/assets/${file}`, { type, headers: assetHeaders, body: readFileSync(join(directory, file)) }],
      ] as const
    })
    return new Map<string, PageFile>([['/', html], ...assets])
  } catch (error) {
    throw new UserError(`${name} is not built (${(error as Error).message}): run "npm run build"`)
  }
}

export function sendFile(response: ServerResponse, { type, headers, body }: PageFile): void {
  response.setHeaders(new Map(Object.entries(headers)))
  respond(response, 200, type, body)
}
