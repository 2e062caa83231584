import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startOnce } from '../../app/test-options.fixture.ts'
import { startSite } from '../site.ts'
import { type Dom, hydrated, load, missingBrowser, readView, root, startBrowser } from './browser.ts'
import { collectTroubles } from './troubles.ts'
import { createUpstream, seeds } from './upstream.ts'

const openPage = startBrowser()

/** Opens a page whose recommendations come once the test says so. */
async function openWaiting(t: TestContext, options: BrowserContextOptions = {}, faults = false) {
  const { promise, resolve: recommend } = Promise.withResolvers<void>()
  const site = await startSite(t, { upstream: createUpstream(promise), faults, threads: 1 })
  t.after(() => recommend())
  const page = await openPage({ baseURL: site.url, ...options })
  const troubles = await collectTroubles(page)
  await page.goto('/page?seed=3', { waitUntil: 'commit' })
  return { page, site, troubles, recommend }
}

describe('the order list', { skip: missingBrowser, concurrency: 2 }, () => {
  test('can be filtered while recommendations are awaited, which are hydrated when they come, without a complaint', async t => {
    const { page, troubles, recommend } = await openWaiting(t)
    await page.getByText('Recommendations are not here yet.').waitFor()
    await hydrated(page)
    // The parser has read all cards once it has come to what follows them.
    await page.locator('aside').waitFor()
    await page.getByLabel('Status').selectOption('packed')
    const filtered = await readView(page)
    const shown = filtered.cards.filter(([, isHidden]) => !isHidden)
    assert.deepEqual([filtered.cards.length, filtered.count], [200, `${shown.length} orders`])
    assert.ok(shown.length > 0 && shown.length < 200)
    assert.equal(await readyState(page), 'loading')
    assert.equal(await page.locator('aside li').count(), 0)
    recommend()
    await page.locator('aside li').nth(5).waitFor()
    assert.deepEqual(await readView(page), filtered)
    assert.equal(await page.getByText('Recommendations are not here yet.').count(), 0)
    await page.waitForLoadState()
    assert.deepEqual(troubles, [])
  })

  test('follows a choice that was made before the script came', async t => {
    const site = await startSite(t)
    const { promise, resolve: sendScript } = Promise.withResolvers<void>()
    const page = await openPage({ baseURL: site.url })
    await page.route('**/client-*.js', async route => {
      await promise
      await route.continue()
    })
    await page.goto('/page?seed=3', { waitUntil: 'commit' })
    await page.locator('footer').waitFor()
    await page.getByLabel('Status').selectOption('packed')
    sendScript()
    await hydrated(page)
    assert.deepEqual([...new Set(await page.locator('.order:visible .status').allInnerTexts())], ['packed'])
    assert.match(page.url(), /status=packed/)
  })

  test('is there without JavaScript, and late recommendations too', async t => {
    const { page, recommend } = await openWaiting(t, { javaScriptEnabled: false })
    await page.locator('footer').waitFor()
    assert.equal(await page.locator('.order:visible').count(), 200)
    assert.equal(await page.locator('.recommendations li').count(), 0)
    recommend()
    await page.locator('.recommendations li').nth(5).waitFor()
    assert.equal(await page.getByText('Recommendations are not here yet.').isVisible(), false)
  })

  test('lacks only the order that cannot be shown, and can be sorted', async t => {
    const site = await startSite(t)
    for (const javaScriptEnabled of [false, true]) {
      const page = await openPage({ baseURL: site.url, javaScriptEnabled })
      await page.goto(`/page?seed=${seeds.broken}&orders=3`)
      if (javaScriptEnabled) {
        await hydrated(page)
        await page.getByLabel('Sort').selectOption('customer')
      }
      await page.getByText('Order 1 cannot be shown.').waitFor()
      assert.equal(await page.locator('.order h3').count(), 2)
    }
  })

  test('stays when its render thread dies, and the browser shows what is missing', async t => {
    const { page, site } = await openWaiting(t, {}, true)
    await hydrated(page)
    await site.killRenderThread()
    await page.getByText('Recommendations are not available at the moment.').waitFor()
    assert.equal(await readyState(page), 'complete')
    await page.getByLabel('Status').selectOption('packed')
    assert.deepEqual([...new Set(await page.locator('.order:visible .status').allInnerTexts())], ['packed'])
  })
})

const readyState = (page: Page) => root(page).evaluate(({ ownerDocument }: Dom) => ownerDocument.readyState)

const paths = [
  '/page?seed=3',
  '/page?seed=3&status=packed&search=desk&sort=total',
  '/page?orders=0',
  `/page?seed=${seeds.awkward}&orders=7`,
  `/page?seed=${seeds.withoutRecommendations}`,
]

describe('the browser', { skip: missingBrowser, concurrency: true }, () => {
  const site = startOnce(startSite)
  /** Opens a page, and collects what the browser complains about. */
  async function open(prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const page = await openPage({ baseURL: site().url })
    const troubles = await collectTroubles(page)
    await prepare(page)
    return { page, troubles }
  }

  test('logs no complaint, whatever the data', async () => {
    const { page, troubles } = await open()
    for (const path of paths) {
      await load(page, path)
      await page.getByLabel('Sort').selectOption('customer')
      assert.deepEqual(troubles, [], path)
    }
  })

  test('complains about a toolbar that is not what React would render', async () => {
    const { page, troubles } = await open(page =>
      alterPage(page, html => html.replace('>Apply<', '>Altered<')),
    )
    await load(page, '/page?seed=3')
    await page.getByLabel('Sort').selectOption('customer')
    assert.match(troubles.join('\n'), /Minified React error #418/)
  })

  test('complains about a script in the page itself, which the policy forbids', async () => {
    const { page, troubles } = await open(page =>
      alterPage(page, html => html.replace('<h1>', '<script>var taken</script><h1>')),
    )
    await load(page, '/page?seed=3')
    assert.match(troubles.join('\n'), /content security policy: script-src-elem inline/)
  })
})

const alterPage = (page: Page, alter: (html: string) => string) =>
  page.route('**/page?*', async route => {
    const response = await route.fetch()
    const { 'content-length': _, ...headers } = response.headers()
    await route.fulfill({ response, headers, body: alter(await response.text()) })
  })
