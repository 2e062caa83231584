import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startOnce } from '../../app/test-options.fixture.ts'
import { startSite } from '../site.ts'
import { type Dom, load, missingBrowser, readView, root, startBrowser } from './browser.ts'
import { awkwardTexts, seeds } from './upstream.ts'

const openPage = startBrowser()

type Choose = (page: Page) => Promise<unknown>

const search = (text: string) => (page: Page) => page.getByLabel('Search').fill(text)
const choose = (label: string, value: string) => (page: Page) => page.getByLabel(label).selectOption(value)

const ordinary = '/page?seed=3&orders=60'
const awkward = `/page?seed=${seeds.awkward}&orders=7`

const choices: readonly [what: string, path: string, ...Choose[]][] = [
  ['a status', ordinary, choose('Status', 'packed')],
  ['a search', ordinary, search('ada')],
  ['a search for a number, with spaces around it', ordinary, search('  12 ')],
  ['a search that finds nothing', ordinary, search('100% & + = # ?')],
  ['a search in Hebrew', awkward, search('עולם')],
  ['a search for markup', awkward, search('</script><script>')],
  ['an awkward status', awkward, choose('Status', '<!-- <script> <![CDATA[')],
  ['largest first', ordinary, choose('Sort', 'total')],
  ['all of it', ordinary, search('e'), choose('Status', 'paid'), choose('Sort', 'total')],
  [
    'all of it and back',
    `${ordinary}&status=paid&search=ada&sort=customer`,
    search(''),
    choose('Status', ''),
    choose('Sort', 'placed'),
  ],
]

describe('a choice', { skip: missingBrowser }, () => {
  const site = startOnce(startSite)
  let page: Page
  /** The same site without JavaScript. */
  let plain: Page
  before(async () => {
    page = await openPage({ baseURL: site().url })
    plain = await openPage({ baseURL: site().url, javaScriptEnabled: false })
  })

  for (const [what, path, ...steps] of choices) {
    test(`of ${what} shows at once the same page as the server for the new URL`, async () => {
      await load(page, path)
      const before = await readView(page)
      for (const step of steps) await step(page)
      const view = await readView(page)
      assert.notDeepEqual(view, before)
      await plain.goto(page.url())
      assert.deepEqual(view, await readView(plain))
    })
  }

  test('is completely in the URL, and causes no request', async () => {
    await load(page, `${ordinary}&status=paid`)
    const requests: string[] = []
    // Chromium requests the icon for every URL that it shows, and takes it from its cache.
    page.on('request', request => request.url().includes('/icon-') || requests.push(request.url()))
    await search('Ada & Co')(page)
    await choose('Sort', 'total')(page)
    await page.getByLabel('Search').press('Enter')
    await page.getByRole('button', { name: 'Apply' }).click()
    const { searchParams, pathname } = new URL(page.url())
    assert.equal(pathname, '/page')
    assert.deepEqual(Object.fromEntries(searchParams), {
      seed: '3',
      orders: '60',
      search: 'Ada & Co',
      status: 'paid',
      sort: 'total',
    })
    assert.deepEqual(requests, [])
  })

  test('of a status that no order has stays in the form', async () => {
    await load(page, '/page?seed=3&orders=5&status=lost')
    const { count, form } = await readView(page)
    assert.deepEqual([count, form.status], ['No orders', 'lost'])
  })

  test('that no order meets is said in the place of the orders', async () => {
    const said = page.getByText('No orders match this choice.')
    await load(page, ordinary)
    assert.equal(await said.count(), 0)
    await search('nobody')(page)
    assert.equal(await said.isVisible(), true)
    await search('')(page)
    assert.equal(await said.count(), 0)
    await load(page, '/page?orders=0')
    assert.equal(await page.getByText('There are no orders.').isVisible(), true)
    assert.equal(await said.count(), 0)
  })

  test('shows awkward text unchanged, and treats none of it as markup', async () => {
    const readTexts = async (selector: string) =>
      (await page.locator(selector).allInnerTexts()).map(text => text.replace('1 x ', '')).sort()
    await load(page, awkward)
    const { title, taken } = await root(page).evaluate(({ ownerDocument: { scripts, title } }: Dom) => ({
      title,
      taken: [...scripts].filter(({ textContent }) => textContent.startsWith('document.title')).length,
    }))
    assert.deepEqual([title, taken], ['Orders - Order desk', 0])
    for (const selector of ['.customer:visible', '.product', '.city', '.status', 'aside h3'])
      assert.deepEqual(await readTexts(selector), [...awkwardTexts].sort(), selector)
    const options = await page.locator('select[name=status] option').allInnerTexts()
    assert.deepEqual(options.sort(), ['All', ...awkwardTexts].sort())
  })

  test('is seen without JavaScript on a page with all orders, and is loaded with a press of Apply', async () => {
    await plain.goto('/page')
    assert.equal(await plain.locator('.order:visible').count(), 200)
    assert.equal(await plain.locator('aside li:visible').count(), 6)
    await plain.goto(ordinary)
    await choose('Status', 'packed')(plain)
    await plain.getByRole('button', { name: 'Apply' }).click()
    await plain.waitForURL(/status=packed/)
    const shown = await plain.locator('.order:visible .status').allInnerTexts()
    assert.ok(shown.length > 0 && shown.length < 60)
    assert.deepEqual([...new Set(shown)], ['packed'])
    const { count, form } = await readView(plain)
    assert.deepEqual([count, form.status], [`${shown.length} orders`, 'packed'])
  })
})
