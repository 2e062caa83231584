import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesOf } from '../../concerns.ts'
import { start, testRendering, testSamePage } from './suite.fixture.ts'

const names = namesOf('rendering')
testSamePage(names)
for (const name of names) testRendering(name)

test('rendering/threads passes on a bug as it is, and does not take it for an error of the page', async t => {
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
