import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findViolations } from './axe.ts'
import { missingBrowser, startBrowser } from './browser.ts'
import { readCollisions, readOverflow } from './layout.ts'
import { type Site, startSite } from './site.ts'
import { collectTroubles } from './troubles.ts'

const openPage = startBrowser()

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
    const names = await page.getByRole('listitem').getByRole('link').allInnerTexts()
    assert.ok(names.length >= 3 && new Set(names).size === names.length)
    await page.getByRole('link', { name: '/page' }).click()
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Orders')
    assert.deepEqual(troubles, [])
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`has nothing that axe finds wrong in the ${colorScheme} theme`, async () => {
      const page = await openPage({ baseURL: site.url, colorScheme })
      await page.goto('/')
      assert.deepEqual(await findViolations(page), [])
    })

  for (const width of [1280, 390, 320])
    test(`fits a screen that is ${width} wide, and no elements overlap`, async () => {
      const page = await openPage({ baseURL: site.url, viewport: { width, height: 844 } })
      await page.goto('/')
      assert.deepEqual(await readOverflow(page), [])
      assert.deepEqual(await readCollisions(page), [])
    })
})
