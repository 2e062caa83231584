import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './suite.fixture.ts'

test('a bug is passed on as it is, and not taken for an error of the page', async t => {
  const { rendering, request } = await start(t, 'threads')
  const bug = new TypeError('on purpose')
  const asked = request()
  Object.defineProperty(asked.context, 'gone', {
    get() {
      throw bug
    },
  })
  await assert.rejects(rendering.render(asked), error => error === bug)
})
