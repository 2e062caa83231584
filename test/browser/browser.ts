import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browserFlags, browserPath } from '../../lib/os/find-browser.ts'

/** The reason to skip tests that need a browser; false if there is a browser. */
export const missingBrowser = browserPath
  ? false
  : 'there is no chromium on PATH (apt-get install chromium-headless-shell)'

/** Nothing takes longer than this, however busy the machine is. */
const LONG_MS = 180_000

type OpenPage = (options?: BrowserContextOptions) => Promise<Page>

/** Starts one browser for the tests of a file. @returns a function that opens a page with its own cookies and cache */
export function startBrowser(): OpenPage {
  let browser: Browser | undefined
  // Node.js does not count the tests of a skipped suite as skipped. It counts this one.
  if (missingBrowser) test('needs a browser', { skip: missingBrowser })
  before(async () => {
    if (!missingBrowser) browser = await chromium.launch({ executablePath: browserPath, args: browserFlags })
  })
  after(() => browser?.close())
  return async options => {
    const context = await (browser as Browser).newContext(options)
    context.setDefaultTimeout(LONG_MS)
    return context.newPage()
  }
}

/** Loads a page and waits until React has hydrated the page. A page that is refused would never be hydrated. */
export async function load(page: Page, path: string): Promise<void> {
  const response = await page.goto(path)
  assert.equal(response?.status(), 200, path)
  await hydrated(page)
}

/** The page sets the mark when its toolbar is hydrated. React hydrates its parts after that, before the browser is idle. */
export const hydrated = (page: Page): Promise<void> =>
  root(page).evaluate(
    ({ ownerDocument: { defaultView: window } }: Dom) =>
      new Promise(resolve => {
        const observer = new window.PerformanceObserver((list: Dom) => {
          if (list.getEntriesByName('hydrated').length === 0) return
          observer.disconnect()
          window.requestIdleCallback(() => resolve())
        })
        observer.observe({ type: 'mark', buffered: true })
      }),
  )

/** An object in the page. Only `app/pages/view/client.tsx` is compiled with the types of the DOM. */
// biome-ignore lint/suspicious/noExplicitAny: code that runs in the page has no types here
export type Dom = any

/** The element on which code in the page is run. */
export const root = (page: Page) => page.locator('html')

export interface View {
  /** The cards in their order on the page. */
  readonly cards: readonly (readonly [id: string, isHidden: boolean])[]
  readonly count: string
  readonly form: Readonly<Record<string, string>>
}

/** Reads the parts of the page that depend on the choice in the URL. */
export const readView = (page: Page): Promise<View> =>
  root(page).evaluate((html: Dom) => {
    const { FormData } = html.ownerDocument.defaultView
    return {
      cards: [...html.querySelectorAll('.order')].map(card => [card.dataset.id, card.hidden] as const),
      count: html.querySelector('output').textContent,
      form: Object.fromEntries(new FormData(html.querySelector('form'))),
    }
  })
