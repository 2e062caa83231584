import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startOnce } from '../../app/test-options.fixture.ts'
import { load, missingBrowser, startBrowser } from './browser.ts'
import { startSite } from '../site.ts'
import { collectTroubles } from './troubles.ts'
import { seeds } from './upstream.ts'

const openPage = startBrowser()

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
