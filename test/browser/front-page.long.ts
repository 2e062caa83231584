import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findViolations } from './axe.ts'
import { type Dom, missingBrowser, startBrowser } from './browser.ts'
import { contrast } from './contrast.ts'
import { readCollisions, readOverflow } from './layout.ts'
import { type Site, startSite } from './site.ts'
import { collectTroubles } from './troubles.ts'

const openPage = startBrowser()
const LEAST_CONTRAST_OF_OUTLINE = 3

describe('the front page', { skip: missingBrowser }, () => {
  let site: Site
  before(async () => {
    site = await startSite()
  })
  after(() => site.close())

  test('leads to its links', async () => {
    const page = await openPage({ baseURL: site.url })
    const troubles = await collectTroubles(page)
    await page.goto('/')
    const list = page.getByRole('list', { name: 'Where to go' })
    const names = await list.getByRole('link').allInnerTexts()
    assert.ok(names.length >= 4 && new Set(names).size === names.length)
    await page.getByRole('link', { name: 'A page' }).click()
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Orders')
    assert.deepEqual(troubles, [])
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`has nothing that axe finds wrong, and shows the focus, in the ${colorScheme} theme`, async () => {
      const page = await openPage({ baseURL: site.url, colorScheme })
      await page.goto('/')
      assert.deepEqual(await findViolations(page), [])
      await page.keyboard.press('Tab')
      const focus = await page.locator('a:focus').evaluate((link: Dom) => {
        const { getComputedStyle } = link.ownerDocument.defaultView
        const { outlineStyle, outlineColor } = getComputedStyle(link)
        const ground = getComputedStyle(link.closest('li')).backgroundColor
        return { outlineStyle, outlineColor, ground }
      })
      assert.equal(focus.outlineStyle, 'solid')
      assert.ok(contrast(focus.outlineColor, focus.ground) >= LEAST_CONTRAST_OF_OUTLINE)
    })

  for (const width of [1280, 390, 320])
    test(`fits a screen that is ${width} wide, and no elements overlap`, async () => {
      const page = await openPage({ baseURL: site.url, viewport: { width, height: 844 } })
      await page.goto('/')
      assert.deepEqual(await readOverflow(page), [])
      assert.deepEqual(await readCollisions(page, 'svg *'), [])
    })
})
