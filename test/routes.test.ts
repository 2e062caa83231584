import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type App, startApp } from '../app/app.ts'
import { namesOf } from '../app/concerns.ts'
import { appOptions } from '../app/config.ts'
import { parseOptions, toFlags } from '../lib/cli/command-line.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { createOrdersServer } from '../orders/server.ts'
import { lightest } from './stack-parts.ts'

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

interface Document {
  readonly paths: Readonly<
    Record<string, { get: { responses: Readonly<Record<string, { $ref?: string }>> } }>
  >
}

/** An app by each framework, in this process. */
const apps = new Map<string, App>()
const orders = createOrdersServer({})
const urlOf = (framework: string) => apps.get(framework)?.addresses.http as string

before(async () => {
  const ordersUrl = await listen(orders, '127.0.0.1', 0)
  for (const framework of namesOf('framework')) {
    const flags = toFlags({ ...lightest, framework, port: 0, adminPort: 0, ordersUrl })
    apps.set(framework, await startApp(parseOptions(appOptions, flags).values))
  }
})
after(async () => {
  await Promise.all([...apps.values()].map(app => app.close()))
  await closeServer(orders)
})

/** @returns the page and the JSON of the front page by this framework */
async function read(url: string) {
  const as = async (accept: string) => (await fetch(url, { headers: { accept } })).text()
  return { html: await as(BROWSER), json: await as('application/json') }
}

/** @param at the place in the document that describes the response */
async function validateAnswer(ajv: Ajv2020, answer: Response, at: string): Promise<void> {
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
  const pointer = `${at}/content/${type.replaceAll('/', '~1')}/schema`
  const check = ajv.getSchema(`document#${pointer}`)
  const body = await answer.text()
  assert.ok(check, `${pointer} is not described`)
  assert.ok(check(type.endsWith('json') ? JSON.parse(body) : body), JSON.stringify(check.errors))
}

describe('the front page', () => {
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

for (const framework of namesOf('framework'))
  test(`answers by framework/${framework} match the OpenAPI document`, async () => {
    const url = urlOf(framework)
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema(document, 'document')
    assert.ok(Object.keys(document.paths).length > 5)
    for (const path of Object.keys(document.paths)) {
      const at = `/paths/${path.replaceAll('/', '~1')}/get/responses`
      await validateAnswer(ajv, await fetch(url + path), `${at}/200`)
      const refused = await fetch(`${url}${path}?nothing=1`)
      assert.equal(refused.status, 400, path)
      assert.ok(document.paths[path]?.get.responses['400']?.$ref)
      await validateAnswer(ajv, refused, '/components/responses/Problem400')
      const head = await fetch(url + path, { method: 'HEAD' })
      assert.deepEqual([head.status, await head.text()], [200, ''])
    }
  })
