import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Implementation, namesOf } from '../app/concerns.ts'
import { startStack } from '../stack/stack.ts'
import { lightest } from './lightest.ts'

interface Document {
  readonly paths: Readonly<
    Record<string, { get: { responses: Readonly<Record<string, { $ref?: string }>> } }>
  >
}

async function start(t: TestContext, framework: Implementation<'framework'>) {
  const stack = await startStack({ composition: { ...lightest, framework } })
  t.after(() => stack.stop())
  const url = stack.address('app')
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'document')
  return { url, document, validate: (answer: Response, at: string) => validateAnswer(ajv, answer, at) }
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

for (const framework of namesOf('framework')) {
  describe(`answers by framework/${framework}`, () => {
    test('match the OpenAPI document', async t => {
      const { url, document, validate } = await start(t, framework)
      assert.ok(Object.keys(document.paths).length > 5)
      for (const path of Object.keys(document.paths)) {
        const at = `/paths/${path.replaceAll('/', '~1')}/get/responses`
        await validate(await fetch(url + path), `${at}/200`)
        const refused = await fetch(`${url}${path}?nothing=1`)
        assert.equal(refused.status, 400, path)
        assert.ok(document.paths[path]?.get.responses['400']?.$ref)
        await validate(refused, '/components/responses/Problem400')
        const head = await fetch(url + path, { method: 'HEAD' })
        assert.deepEqual([head.status, await head.text()], [200, ''])
      }
    })
  })
}
