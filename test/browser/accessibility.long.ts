import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startOnce } from '../../app/test-options.fixture.ts'
import { startSite } from '../site.ts'
import { type Dom, load, missingBrowser, startBrowser } from './browser.ts'
import { checkFocus, readCollisions, readOverflow } from './layout.ts'
import { findViolations } from './troubles.ts'
import { seeds } from './upstream.ts'

const openPage = startBrowser()

const paths = {
  'ordinary orders': '/page?seed=3&orders=20',
  'awkward text': `/page?seed=${seeds.awkward}&orders=7`,
  'no orders': '/page?orders=0',
  'no orders that match': '/page?orders=3&search=nobody',
  'a part that failed': `/page?seed=${seeds.withoutRecommendations}&orders=3`,
}
/** Screens, and the pages that axe judges on them. What differs between the themes is their colours, which one page has all of. */
const screens = [
  { width: 1280, height: 900, colorScheme: 'light', judged: Object.values(paths) },
  { width: 390, height: 844, colorScheme: 'dark', judged: [paths['ordinary orders']] },
  { width: 320, height: 640, colorScheme: 'light', judged: [] as string[] },
] as const

describe('the page', { skip: missingBrowser }, () => {
  const site = startOnce(startSite)
  const open = (options = {}) => openPage({ baseURL: site().url, ...options })

  for (const { width, height, colorScheme, judged } of screens) {
    test(`fits a screen of ${width} x ${height}, no elements overlap, and axe finds nothing wrong in the ${colorScheme} theme`, async () => {
      const page = await open({ viewport: { width, height }, colorScheme })
      const fits = async (what: string) => {
        assert.deepEqual(await readOverflow(page), [], `${what}: wider than the screen`)
        assert.deepEqual(await readCollisions(page), [], `${what}: one on the other`)
      }
      for (const [what, path] of Object.entries(paths)) {
        await load(page, path)
        await fits(what)
        assert.deepEqual(await readBrokenHeadings(page), [], `${what}: on more than one line`)
        if (judged.includes(path)) assert.deepEqual(await findViolations(page), [], what)
      }
    })
  }

  for (const colorScheme of ['light', 'dark'] as const)
    test(`shows the focus in the ${colorScheme} theme at every stop, in the order of the page`, async () => {
      const page = await open({ colorScheme })
      await load(page, paths['ordinary orders'])
      const stops = await page.locator('a, input:visible, select, button').count()
      for (let stop = 0; stop < stops; stop++) {
        await page.keyboard.press('Tab')
        const { index, isInView } = await checkFocus(page)
        assert.deepEqual([index, isInView], [stop, true])
      }
    })

  test('have a link that skips to the orders by Tab and Enter', async () => {
    const page = await open()
    await load(page, '/page?seed=3&orders=60')
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'Skip to the orders')
    await page.keyboard.press('Enter')
    const { hash } = new URL(page.url())
    assert.match(hash, /^#\w*orders$/)
    const top = await page.locator(hash).evaluate((list: Dom) => list.getBoundingClientRect().top)
    assert.ok(Math.abs(top) < 1, `the list begins at ${top}`)
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'Health')
  })
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
