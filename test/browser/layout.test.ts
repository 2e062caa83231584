import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Dom, load, missingBrowser, root, startBrowser } from './browser.ts'
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
  'a part that failed': `/page?seed=${seeds.withoutRecommendations}&orders=3`,
}

describe('the page', { skip: missingBrowser, concurrency: true }, () => {
  let site: Site
  before(async () => {
    site = await startSite()
  })
  after(() => site.close())

  for (const viewport of screens) {
    test(`fits a screen of ${viewport.width} x ${viewport.height}, and nothing lies on anything else`, async () => {
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

/** What sticks out of the screen or of the box that it is in; the skip link waits outside for the keyboard. */
const readOverflow = (page: Page): Promise<string[]> =>
  root(page).evaluate((html: Dom) => {
    const width = html.clientWidth
    const sticksOut = (element: Dom) => {
      const { left, right } = element.getBoundingClientRect()
      return left < -0.5 || right > width + 0.5
    }
    const isCut = (element: Dom) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1
    return [html, ...html.querySelectorAll('body *:not(.skip, select, option, script)')]
      .filter(element => sticksOut(element) || isCut(element))
      .map(({ tagName, className, textContent }) => `${tagName}.${className} ${textContent.slice(0, 40)}`)
  })

/** Neighbours whose boxes lie on one another. */
const readCollisions = (page: Page): Promise<string[]> =>
  root(page).evaluate((html: Dom) => {
    const boxes = [...html.querySelectorAll('body *:not(.skip, option, script)')]
      .map(element => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.height > 0)
    const overlap = (a: Dom, b: Dom) =>
      a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5
    return boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter(other => other.element.parentElement === one.element.parentElement)
        .filter(other => overlap(one.box, other.box))
        .map(other => `${one.element.outerHTML.slice(0, 60)} and ${other.element.outerHTML.slice(0, 60)}`),
    )
  })

/** Headings of orders are short: when they need a second line, what is beside them takes too much. */
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
