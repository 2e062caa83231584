/** The strictest policy: nothing may be loaded, framed or sent, unless a page allows it. */
const NOTHING = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** A content security policy that allows only the directives in `allowed`. */
export const contentSecurityPolicy = (allowed: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...NOTHING, ...allowed })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

/**
 * The headers of every answer: the usual defaults against framing, sniffing and foreign scripts, with a policy of our own.
 * They are a constant, because a middleware would set a dozen headers anew for each answer; a test compares them with a
 * middleware's.
 */
export const securityHeaders = Object.freeze({
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // Browsers use this header only over TLS, which a proxy in front of this server may provide.
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
})
