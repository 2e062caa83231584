/** Nothing may be loaded, framed or sent anywhere, but what a page allows itself. */
const NOTHING = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** A policy that allows what `allowed` says, by its directives, and nothing else. */
export const contentSecurityPolicy = (allowed: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...NOTHING, ...allowed })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

/**
 * What stands in every answer: the defaults of Helmet, with a policy of our own. A constant and not Helmet itself, as
 * there are three frameworks here, and twelve calls a request would be in the figures of each; a test compares the two.
 */
export const securityHeaders = Object.freeze({
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // Browsers heed it only over TLS, which is for a proxy in front of this.
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
})
