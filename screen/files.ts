import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { UserError } from '../lib/cli/user-error.ts'
import { assetHeaders, assetTypes, contentSecurityPolicy, PAGE_TYPE, respond } from '../lib/http/respond.ts'

/** The page of each folder that `npm run build` makes in `dist`. */
export const PAGE_FILE = 'index.html'

/** Allows only files and requests of the server itself. */
const own = {
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
}

export interface PageFile {
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Reads the page of a layout and its files, by path.
 * @param directory the results of `npm run build` for the layout
 * @param frames sites that may show the page in a frame, as `frame-ancestors` of its policy names them
 * @throws UserError when the page has not been built
 */
export function readPage(directory: string, frames?: string): Map<string, PageFile> {
  const policy = contentSecurityPolicy(frames ? { ...own, 'frame-ancestors': frames } : own)
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
    throw new UserError(`the page is not built (${(error as Error).message}): run "npm run build"`)
  }
}

export function sendFile(response: ServerResponse, { type, headers, body }: PageFile): void {
  response.setHeaders(new Map(Object.entries(headers)))
  respond(response, 200, type, body)
}
