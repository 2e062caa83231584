import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { lastStep } from '../../app/steps.ts'
import { closeServer } from '../../lib/http/close-server.ts'
import { listen } from '../../lib/http/listen.ts'
import { startStack } from '../../stack/stack.ts'
import { patience } from '../patience.ts'
import { logPlaces } from '../places.ts'
import { type Dom, hydrated, load, missingBrowser, readView, root, startBrowser } from './browser.ts'
import { startSite } from './site.ts'
import { createUpstream } from './upstream.ts'

const openPage = startBrowser()

describe('the order list', { skip: missingBrowser, concurrency: true }, () => {
  test('can be filtered while the upstream has not answered recommendations', async t => {
    const { promise, resolve: recommend } = Promise.withResolvers<void>()
    t.after(() => recommend())
    const site = await startSite({ upstream: createUpstream(promise) })
    t.after(() => site.close())
    const page = await openPage({ baseURL: site.url })
    await page.goto('/page?seed=3', { waitUntil: 'commit' })
    await hydrated(page)
    await allCardsCame(page)
    await page.getByLabel('Status').selectOption('packed')
    const filtered = await readView(page)
    const shown = filtered.cards.filter(([, isHidden]) => !isHidden)
    assert.deepEqual([filtered.cards.length, filtered.count], [200, `${shown.length} orders`])
    assert.ok(shown.length > 0 && shown.length < 200)
    assert.equal(await readyState(page), 'loading')
    assert.equal(await page.locator('aside li').count(), 0)
    recommend()
    await page.waitForLoadState()
    assert.equal(await page.locator('aside li').count(), 6)
    assert.deepEqual(await readView(page), filtered)
  })

  test('can be filtered before recommendations are there, with every process of the last step', async t => {
    const { promise, resolve: recommend } = Promise.withResolvers<void>()
    t.after(() => recommend())
    const url = await startLastStep(t, promise)
    const page = await openPage({ baseURL: url })
    await page.goto('/page?seed=3', { waitUntil: 'commit' })
    await hydrated(page)
    await allCardsCame(page)
    await page.getByLabel('Status').selectOption('packed')
    assert.deepEqual([...new Set(await page.locator('.order:visible .status').allInnerTexts())], ['packed'])
    assert.equal(await page.locator('aside li').count(), 0)
    recommend()
    await page.waitForLoadState()
    assert.equal(await page.locator('aside li').count(), 6)
  })

  test('follows a choice that was made before the script came', async t => {
    const site = await startSite()
    t.after(() => site.close())
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

  test('follows a choice with the cards that come after it', async t => {
    const site = await startSite()
    t.after(() => site.close())
    const cards = Promise.withResolvers<void>()
    const recommendations = Promise.withResolvers<void>()
    const slow = await startSlowCopy(t, site.url, cards.promise, recommendations.promise)
    const page = await openPage({ baseURL: slow })
    await page.goto('/page?seed=3', { waitUntil: 'commit' })
    await hydrated(page)
    await page.getByLabel('Sort').selectOption('total')
    await page.getByLabel('Search').fill('ada')
    assert.ok((await readView(page)).cards.length < 200)
    cards.resolve()
    await allCardsCame(page)
    const view = await readView(page)
    assert.equal(await readyState(page), 'loading')
    recommendations.resolve()
    await page.waitForLoadState()
    assert.deepEqual(view, await readView(page))
    const direct = await openPage({ baseURL: site.url })
    await load(direct, new URL(page.url()).pathname + new URL(page.url()).search)
    assert.deepEqual(view, await readView(direct))
  })
})

/** The parser has read all cards once it has come to what follows them. */
const allCardsCame = (page: Page) => page.locator('aside').waitFor()

const readyState = (page: Parameters<typeof root>[0]) =>
  root(page).evaluate(({ ownerDocument }: Dom) => ownerDocument.readyState)

async function startLastStep(t: TestContext, beforeRecommendations: Promise<void>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'browser-'))
  const upstream = createUpstream(beforeRecommendations)
  const stack = await startStack({
    composition: lastStep.composition,
    app: {
      ordersUrl: await listen(upstream, '127.0.0.1', 0),
      ...logPlaces(directory),
      ...patience,
    },
  })
  t.after(async () => {
    await stack.stop()
    await closeServer(upstream)
    await rm(directory, { recursive: true })
  })
  return stack.address('app')
}

/** A proxy of a site that sends the second half of the cards, and the recommendations, once these promises have resolved. */
async function startSlowCopy(
  t: TestContext,
  site: string,
  cards: Promise<void>,
  recommendations: Promise<void>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(site + request.url)
    const type = answer.headers.get('content-type') ?? ''
    const body = await answer.text()
    response.setHeader('content-type', type)
    const half = body.length / 2
    const listEnd = body.indexOf('</aside>')
    if (type.startsWith('text/html')) {
      response.write(body.slice(0, half))
      await cards
      response.write(body.slice(half, listEnd))
      await recommendations
      response.end(body.slice(listEnd))
    } else response.end(body)
  })
  t.after(() => server.close())
  return listen(server, '127.0.0.1', 0)
}
