import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, testRendering, testSamePage } from '../../app/concerns/rendering/suite.fixture.ts'
import type { Implementation } from '../../app/concerns.ts'
import { misbehaving } from '../../app/pages/page.faulty.ts'
import { hasCode } from '../../app/test-options.fixture.ts'
import { peers } from './index.ts'
import './register.ts'

const names = Object.keys(peers.rendering) as Implementation<'rendering'>[]
testSamePage(['stream', ...names])
for (const name of names) {
  testRendering(name)

  test(`rendering/${name} fails a page that ends its thread, and makes the next`, async t => {
    const { html } = await start(t, name)
    const { seed } = misbehaving['ends its thread in the shell']
    await assert.rejects(html({ seed }), hasCode('PART_FAILED'))
    assert.match(await html(), /Order \d+</)
  })
}
