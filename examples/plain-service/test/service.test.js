import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { directoryOf, variants } from '../compose.js'

const logDir = mkdtempSync(join(tmpdir(), 'plain-service-'))
after(() => rmSync(logDir, { recursive: true }))

const build = async name => (await import(join(directoryOf(name), 'app.js'))).buildApp({ logDir })

/** The answers of the service as it was, which no variant may change. */
async function answersOf(app) {
  const answers = {}
  for (const path of [
    '/healthz',
    '/orders/7',
    '/orders/0',
    '/orders?count=20',
    '/orders/7/invoice',
    '/nowhere',
  ]) {
    const { statusCode, headers, rawPayload } = await app.inject(path)
    answers[path] = [statusCode, headers['content-type'], rawPayload.toString('latin1')]
  }
  return answers
}

describe('the service', () => {
  test('answers with an order, a page, an invoice, and errors of its schemas', async t => {
    const app = await build('before')
    t.after(() => app.close())
    const answers = await answersOf(app)
    assert.equal(JSON.parse(answers['/orders/7'][2]).customer, 'customer 433')
    assert.match(answers['/orders?count=20'][2], /<p class="summary">20 orders, /)
    assert.match(answers['/orders/7/invoice'][2], /^%PDF-1\.3/)
    assert.deepEqual([answers['/orders/0'][0], answers['/nowhere'][0]], [400, 404])
  })

  for (const name of Object.keys(variants))
    test(`answers the same in the variant ${name}`, async t => {
      const [before, app] = [await build('before'), await build(name)]
      t.after(() => Promise.all([before.close(), app.close()]))
      assert.deepEqual(await answersOf(app), await answersOf(before))
    })
})
