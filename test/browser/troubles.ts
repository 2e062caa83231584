import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { type Dom, root } from './browser.ts'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/**
 * Asks axe-core what is wrong with the page as it is: contrast, names, roles, headings, landmarks and more, by WCAG 2.2 and
 * by its best practices. It does not know about the focus.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // The page's own content security policy does not apply to code that the test runs.
  await page.evaluate(axe.source)
  const violations: readonly Violation[] = await root(page).evaluate(
    async ({ ownerDocument: { defaultView: window } }: Dom) =>
      (await window.axe.run({ resultTypes: ['violations'] })).violations,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

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
