import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Dom, load, missingBrowser, root, startBrowser } from './browser.ts'
import { type Contrast, contrast, readContrasts } from './contrast.ts'
import { type Site, startSite } from './site.ts'
import { seeds } from './upstream.ts'

const openPage = startBrowser()
const LEAST_CONTRAST = 4.5
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

  for (const path of paths) {
    test(`has a language, a title, headings without a jump and named landmarks: ${path}`, async () => {
      await load(page, path)
      assert.match(await root(page).evaluate(({ lang }: Dom) => lang), /^en/)
      assert.match(await page.title(), /\S/)
      await assertHeadings(page)
      const landmarks = [
        page.getByRole('banner'),
        page.getByRole('navigation', { name: 'Views' }),
        page.getByRole('main'),
        page.getByRole('contentinfo'),
        page.getByRole('complementary', { name: 'Recommended to restock' }),
        page.getByRole('region', { name: 'Summary' }),
        page.getByRole('region', { name: 'Order list' }),
      ]
      for (const landmark of landmarks) assert.equal(await landmark.count(), 1, String(landmark))
    })
  }

  test('names every control, and no id twice', async () => {
    await load(page, '/page?seed=3')
    const controls = page.locator('input:visible, select, textarea')
    const labels = await controls.evaluateAll((all: Dom[]) =>
      all.map(({ labels }) => labels[0]?.firstChild.textContent.trim()),
    )
    assert.deepEqual(labels, ['Search', 'Status', 'Sort', 'Theme'])
    for (const name of await page.locator('a, button').allInnerTexts()) assert.match(name, /\S/)
    const ids = await page.locator('[id]').evaluateAll((all: Dom[]) => all.map(({ id }) => id))
    assert.equal(new Set(ids).size, ids.length)
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`has enough contrast in the ${theme} theme, chosen or the system's`, async () => {
      for (const path of paths) {
        await load(page, `${path}&theme=${theme}`)
        const chosen = await readContrasts(page)
        assert.ok(chosen.length > 20)
        assert.deepEqual(
          chosen.filter(({ ratio }) => ratio < LEAST_CONTRAST),
          [],
        )
        await page.emulateMedia({ colorScheme: theme })
        await load(page, path)
        assert.deepEqual((await readContrasts(page)).map(colorsOf), chosen.map(colorsOf))
      }
    })

    test(`shows the focus in the ${theme} theme at every stop, in the order of the page`, async () => {
      await load(page, `/page?seed=3&orders=20&theme=${theme}`)
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
    assert.equal(new URL(page.url()).hash, '#orders')
    const top = await page.locator('#orders').evaluate((list: Dom) => list.getBoundingClientRect().top)
    assert.ok(Math.abs(top) < 1, `the list begins at ${top}`)
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'Health')
  })
})

async function assertHeadings(page: Page): Promise<void> {
  const headings = page.locator('h1, h2, h3, h4, h5, h6')
  const levels: number[] = await headings.evaluateAll((all: Dom[]) =>
    all.map(({ tagName }) => Number(tagName[1])),
  )
  assert.equal(levels[0], 1)
  assert.equal(levels.filter(level => level === 1).length, 1)
  for (const [index, level] of levels.entries()) assert.ok(level <= (levels[index - 1] ?? 0) + 1)
}

const colorsOf = ({ color, ground }: Contrast) => `${color} on ${ground}`

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
