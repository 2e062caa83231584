import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const executablePath = (process.env.PATH ?? '')
  .split(delimiter)
  .map(directory => join(directory, 'chromium'))
  .find(file => existsSync(file))

/** Why tests that need a browser are skipped; false where there is one. */
export const missingBrowser = executablePath
  ? false
  : 'there is no chromium on PATH (apt-get install chromium)'

/** Chromium's sandbox does not run as root. */
const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]

type OpenPage = (options?: BrowserContextOptions) => Promise<Page>

/** One browser for the tests of a file. @returns what opens a page that shares nothing with others */
export function startBrowser(): OpenPage {
  let browser: Browser | undefined
  // The tests of a suite that is skipped are not counted as skipped; this one is.
  if (missingBrowser) test('needs a browser', { skip: missingBrowser })
  before(async () => {
    if (!missingBrowser) browser = await chromium.launch({ executablePath, args })
  })
  after(() => browser?.close())
  return async options => (await (browser as Browser).newContext(options)).newPage()
}

/** Loads a page until everything is there and React has taken over the toolbar. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await hydrated(page)
}

/** The mark is set once hydration is asked for. React then does it in a task of its own, before the browser is idle. */
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

/** Something in the page. The types of the DOM are those of `render/client.tsx` alone. */
// biome-ignore lint/suspicious/noExplicitAny: what runs in the page has no types here
export type Dom = any

/** Where code that runs in the page begins. */
export const root = (page: Page) => page.locator('html')

export const outerHtml = (page: Page): Promise<string> =>
  root(page).evaluate(({ outerHTML }: Dom) => outerHTML)

export interface View {
  /** In their order on the page. */
  readonly cards: readonly (readonly [id: string, isHidden: boolean])[]
  readonly theme: string
  readonly count: string
  readonly form: Readonly<Record<string, string>>
}

/** What a person sees of the choice that the URL says. */
export const readView = (page: Page): Promise<View> =>
  root(page).evaluate((html: Dom) => {
    const { FormData } = html.ownerDocument.defaultView
    return {
      cards: [...html.querySelectorAll('.order')].map(card => [card.dataset.id, card.hidden] as const),
      theme: html.dataset.theme,
      count: html.querySelector('output').textContent,
      form: Object.fromEntries(new FormData(html.querySelector('form'))),
    }
  })
