import type { Page } from 'playwright-core'

const reportViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('content security policy: ' + violatedDirective + ' ' + blockedURI))`

/** Collects all complaints of the browser about a page from now on. */
export async function collectTroubles(page: Page): Promise<readonly string[]> {
  const troubles: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', error => troubles.push(`uncaught: ${error.message}`))
  page.on('requestfailed', request => {
    const { errorText } = request.failure() ?? {}
    // Chromium requests the icon again at every choice, and cancels that when the page is left.
    if (errorText !== 'net::ERR_ABORTED') troubles.push(`failed: ${request.url()} ${errorText}`)
  })
  page.on('response', response => {
    if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`)
  })
  await page.addInitScript(reportViolations)
  return troubles
}
