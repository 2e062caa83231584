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
