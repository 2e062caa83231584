import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startOnce } from '../../app/test-options.fixture.ts'
import { type Dom, load, missingBrowser, outerHtml, root, startBrowser } from './browser.ts'
import { startSite } from './site.ts'
import { awkwardTexts, seeds } from './upstream.ts'

const openPage = startBrowser()

const compositions = [
  { rendering: 'string', serialization: 'compiled' },
  { rendering: 'stream', serialization: 'protobuf' },
  { rendering: 'threads', serialization: 'compiled' },
  { rendering: 'parts', serialization: 'protobuf' },
] as const

const cases = [
  { data: 'ordinary orders', path: '/page?seed=3', orders: 200 },
  { data: 'no orders', path: '/page?orders=0', orders: 0 },
  { data: '600 orders', path: '/page?orders=600', orders: 600 },
  { data: 'awkward text', path: `/page?seed=${seeds.awkward}&orders=7`, orders: 7 },
  {
    data: 'a choice, and a part that failed',
    path: `/page?seed=${seeds.withoutRecommendations}&status=packed&search=desk&sort=total`,
    orders: 200,
  },
]

describe('the page, once loaded and hydrated,', { skip: missingBrowser }, () => {
  const pages = startOnce(suite =>
    Promise.all(
      compositions.map(async composition => {
        const { url } = await startSite(suite, composition)
        return openPage({ baseURL: url })
      }),
    ),
  )

  for (const { data, path, orders } of cases) {
    test(`is the same by every rendering, of JSON and of Protobuf: ${data}`, async () => {
      const [first = '', ...others] = await Promise.all(pages().map(page => readDom(page, path)))
      assert.equal(first.split('<li class="order"').length - 1, orders)
      for (const other of others) assert.equal(...whereTheyDiffer(other, first))
    })
  }

  test('shows awkward text unchanged, and treats none of it as markup', async () => {
    const page = pages()[0] as Page
    const readDocument = () =>
      root(page).evaluate(({ ownerDocument: { scripts, title } }: Dom) => ({
        scripts: scripts.length,
        title,
      }))
    await load(page, '/page?seed=3')
    const ordinary = await readDocument()
    await load(page, `/page?seed=${seeds.awkward}&orders=7`)
    assert.deepEqual(await readDocument(), ordinary)
    assert.deepEqual(await page.locator('.customer:visible').allInnerTexts(), awkwardTexts)
    assert.deepEqual((await page.locator('.product').allInnerTexts()).map(withoutQuantity).sort(), sorted)
    assert.deepEqual((await page.locator('.city').allInnerTexts()).sort(), sorted)
    assert.deepEqual((await page.locator('.status').allInnerTexts()).sort(), sorted)
    assert.deepEqual(await page.locator('aside h3').allInnerTexts(), awkwardTexts)
    const options = page.locator('select[name=status] option')
    assert.deepEqual((await options.allInnerTexts()).sort(), ['All', ...awkwardTexts].sort())
  })
})

const sorted = [...awkwardTexts].sort()
const withoutQuantity = (text: string) => text.replace('1 x ', '')

/** The document without the scripts with which React moves late parts. */
async function readDom(page: Page, path: string): Promise<string> {
  await load(page, path)
  await page.locator('template').waitFor({ state: 'detached' })
  return (await outerHtml(page)).replaceAll(/<script nonce="">.*?<\/script>/gs, '')
}

/** The text of both documents at the first difference. The whole difference can be megabytes. */
function whereTheyDiffer(one: string, other: string): [string, string] {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return [one.slice(at, at + 200), other.slice(at, at + 200)]
}
