import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { namesOf } from '../app/concerns.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { lightest } from './lightest.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const JSON_TYPE = 'application/json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'

const cases: readonly [accept: string, type: string][] = [
  [BROWSER, HTML_TYPE],
  ['text/html', HTML_TYPE],
  ['text/html;q=0.5, application/json', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['image/png', JSON_TYPE],
  [', ;q', JSON_TYPE],
]

/** @returns the page and the JSON of the front page by this framework */
async function read(url: string) {
  const as = async (accept: string) => (await fetch(url, { headers: { accept } })).text()
  return { html: await as(BROWSER), json: await as('application/json') }
}

describe('the front page', () => {
  const stacks = new Map<string, Stack>()
  before(async () => {
    for (const framework of namesOf('framework'))
      stacks.set(framework, await startStack({ composition: { ...lightest, framework } }))
  })
  after(() => Promise.all([...stacks.values()].map(stack => stack.stop())))
  const urlOf = (framework: string) => `${stacks.get(framework)?.address('app')}/`

  for (const framework of namesOf('framework'))
    test(`is a page for browsers and JSON for others, by framework/${framework}`, async () => {
      const url = urlOf(framework)
      for (const [accept, type] of cases) {
        const answer = await fetch(url, { headers: { accept } })
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type], accept)
        assert.equal(answer.headers.get('vary'), 'accept')
        const head = await fetch(url, { method: 'HEAD', headers: { accept } })
        assert.deepEqual([head.headers.get('content-type'), await head.text()], [type, ''])
        assert.equal(head.headers.get('content-length'), answer.headers.get('content-length'))
      }
    })

  test('has the same links in both forms, which all lead somewhere, by every framework', async () => {
    const pages = []
    for (const framework of namesOf('framework')) {
      const url = urlOf(framework)
      const { html, json } = await read(url)
      const { links } = JSON.parse(json) as { links: { href: string }[] }
      const hrefs = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)
      assert.deepEqual(
        hrefs,
        links.map(({ href }) => href),
      )
      for (const href of hrefs) assert.equal((await fetch(new URL(href as string, url))).status, 200, href)
      pages.push(html + json)
    }
    assert.equal(new Set(pages).size, 1)
  })
})
