import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations } from './axe.ts'
import { type Dom, load, missingBrowser, root, startBrowser } from './browser.ts'
import { contrast } from './contrast.ts'
import { type Site, startSite } from './site.ts'
import { seeds } from './upstream.ts'

const openPage = startBrowser()
const LEAST_CONTRAST_OF_OUTLINE = 3

const paths = [
  '/page?seed=3&orders=20',
  '/page?orders=0',
  '/page?orders=3&search=nobody',
  `/page?seed=${seeds.withoutRecommendations}&orders=3`,
]

describe('the page', { skip: missingBrowser }, () => {
  let site: Site
  let page: Page
  before(async () => {
    site = await startSite()
    page = await openPage({ baseURL: site.url })
  })
  after(() => site.close())

  for (const theme of ['light', 'dark'] as const) {
    // What differs between the themes is their colours, which one page has all of.
    for (const path of theme === 'light' ? paths : paths.slice(0, 1))
      test(`has nothing that axe finds wrong in the ${theme} theme: ${path}`, async () => {
        await page.emulateMedia({ colorScheme: theme })
        await load(page, path)
        assert.deepEqual(await findViolations(page), [])
      })

    test(`shows the focus in the ${theme} theme at every stop, in the order of the page`, async () => {
      await page.emulateMedia({ colorScheme: theme })
      await load(page, '/page?seed=3&orders=20')
      const stops = await page.locator('a, input:visible, select, button').count()
      for (let stop = 0; stop < stops; stop++) {
        await page.keyboard.press('Tab')
        const { index, outline, ground, isInView } = await readFocus(page)
        assert.deepEqual([index, outline.style, isInView], [stop, 'solid', true])
        assert.ok(outline.widthPx >= 2)
        assert.ok(contrast(outline.color, ground) >= LEAST_CONTRAST_OF_OUTLINE)
      }
    })
  }

  test('has a link that skips to the orders by Tab and Enter', async () => {
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

const readFocus = (page: Page) =>
  root(page).evaluate(({ ownerDocument: document }: Dom) => {
    const { activeElement, defaultView: window } = document
    const { outlineStyle, outlineWidth, outlineColor } = window.getComputedStyle(activeElement)
    const around = activeElement.closest('.toolbar, .banner, .footer, body')
    const { left, top, right, bottom } = activeElement.getBoundingClientRect()
    const stops = [...document.querySelectorAll('a, input:not([type=hidden]), select, button')]
    return {
      index: stops.indexOf(activeElement),
      outline: { style: outlineStyle, color: outlineColor, widthPx: Number.parseFloat(outlineWidth) },
      ground: window.getComputedStyle(around).backgroundColor,
      isInView: left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight,
    }
  })
