import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ratioWithin } from '../output/tables.ts'
import { advised, follow, installAdvised } from './advised.fixture.ts'

before(installAdvised)

for (const each of advised) {
  test(`the advice on ${each.service} comes true within its interval, and makes it no slower`, async t => {
    const { predicted, ratio, ci95 } = await follow(each)
    t.diagnostic(`${each.concern}: predicted ${predicted.join(' to ')}, measured ${ratioWithin(ratio, ci95)}`)
    // The result is an interval, too.
    assert.ok(ci95[1] >= predicted[0] && ci95[0] <= predicted[1])
    assert.ok(ci95[0] < 1)
  })
}
