/** Media types of files for browsers, by file extension. */
export const assetTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Headers of files whose names change with their content. */
export const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' } as const
