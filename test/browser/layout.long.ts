import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Dom, load, missingBrowser, startBrowser } from './browser.ts'
import { readCollisions, readOverflow } from './layout.ts'
import { type Site, startSite } from './site.ts'
import { seeds } from './upstream.ts'

const openPage = startBrowser()

const screens = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]
const paths = {
  'ordinary orders': '/page?seed=3&orders=20',
  'awkward text': `/page?seed=${seeds.awkward}&orders=7`,
  'no orders': '/page?orders=0',
  'no orders that match': '/page?orders=3&search=nobody',
  'a part that failed': `/page?seed=${seeds.withoutRecommendations}&orders=3`,
}

describe('the page', { skip: missingBrowser, concurrency: true }, () => {
  let site: Site
  before(async () => {
    site = await startSite()
  })
  after(() => site.close())

  for (const viewport of screens) {
    test(`fits a screen of ${viewport.width} x ${viewport.height}, and no elements overlap`, async () => {
      const page = await openPage({ baseURL: site.url, viewport })
      for (const [what, path] of Object.entries(paths)) {
        await load(page, path)
        assert.deepEqual(await readOverflow(page), [], `${what}: wider than the screen`)
        assert.deepEqual(await readCollisions(page), [], `${what}: one on the other`)
        assert.deepEqual(await readBrokenHeadings(page), [], `${what}: on more than one line`)
      }
    })
  }
})

/** Headings of orders are short. A heading needs a second line only if the element beside it is too wide. */
const readBrokenHeadings = (page: Page): Promise<string[]> =>
  page.locator('.order h3').evaluateAll((headings: Dom[]) =>
    headings
      .filter(heading => {
        const text = heading.ownerDocument.createRange()
        text.selectNodeContents(heading)
        return text.getClientRects().length > 1
      })
      .map(({ textContent }) => textContent),
  )
