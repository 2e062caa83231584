import { applyChunks } from '../../lib/apply-chunks.ts'
import { expectedPage, isRightPage, withoutNonce } from '../../loadtest/generator/expected-page.ts'

const recommendations = /<!--\$--><ul class="recommendations">.*?<!--\/\$-->/s
/** Recommendations that failed, or whose render thread died after the shell. */
const fallback = /<!--\$[?!]?-->(<template[^>]*><\/template>)?<p class="fallback.*?<!--\/\$-->/s

/** React says that the browser has to render a part. */
const given = /<script nonce="[^"]*">[^<]*\$RX\("B:0"[^<]*<\/script>/

/** Number of parts of a seed's page that are missing; undefined if anything else on the page is wrong. */
export function countFallbacks(seed: number, page: string): number | undefined {
  const right = expectedPage(seed)
  if (isRightPage(page, right)) return 0
  const missing = recommendations.exec(right)?.[0] as string
  return withoutNonce(page, applyChunks)
    .replace(given, '')
    .replace(fallback, () => missing) === right
    ? 1
    : undefined
}
