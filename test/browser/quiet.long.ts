import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { startOnce } from '../../app/test-options.fixture.ts'
import { load, missingBrowser, startBrowser } from './browser.ts'
import { startSite } from './site.ts'
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
  const developmentClient = startOnce(buildForDevelopment)
  /** Opens a page with this client, and collects what the browser complains about. */
  async function open(serve: (page: Page) => Promise<unknown>) {
    const page = await openPage({ baseURL: site().url })
    const troubles = await collectTroubles(page)
    await serve(page)
    return { page, troubles }
  }

  const clients = [
    { client: 'the client', serve: async () => {}, complaint: /Minified React error #418/ },
    {
      client: 'a development build of the client',
      serve: (page: Page) =>
        page.route('**/assets/client-*.js', route =>
          route.fulfill({ contentType: 'text/javascript', body: developmentClient() }),
        ),
      complaint: /Hydration failed because the server rendered text didn't match the client/,
    },
  ]

  for (const { client, serve, complaint } of clients) {
    test(`logs no complaint with ${client}, whatever the data`, async () => {
      const { page, troubles } = await open(serve)
      for (const path of paths) {
        await load(page, path)
        await page.getByLabel('Sort').selectOption('customer')
        assert.deepEqual(troubles, [], path)
      }
    })

    test(`complains with ${client} about a toolbar that is not what React would render`, async () => {
      const { page, troubles } = await open(serve)
      await alterPage(page, html => html.replace('>Apply<', '>Altered<'))
      await load(page, '/page?seed=3')
      await page.getByLabel('Sort').selectOption('customer')
      assert.match(troubles.join('\n'), complaint)
    })
  }

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

/** A development build of React says where the server's HTML differs from its own. */
async function buildForDevelopment(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../app/pages/view/client.tsx')],
    bundle: true,
    define: { 'process.env.NODE_ENV': '"development"' },
    jsx: 'automatic',
    format: 'esm',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
