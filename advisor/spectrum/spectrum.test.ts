import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../lib/random.ts'
import { marginOf } from './spectrum.ts'

const BLOCKS = 10
const SHARE = 0.3

/** Blocks of time in which the work comes in runs, as that of requests does. */
function draw(random: () => number) {
  const blocks = Array.from({ length: BLOCKS }, () => ({ part: 0, all: 0 }))
  for (const block of blocks)
    for (let run = 0; run < 40; run++) {
      const lasted = -Math.log(1 - random())
      block.all += lasted
      if (random() < SHARE) block.part += lasted
    }
  return [blocks.map(({ part }) => part), blocks.map(({ all }) => all)] as const
}

test('the interval of a share has the true one in it in 95 of 100 profiles, or nearly', () => {
  const random = seededRandom(1)
  const runs = 2000
  let hits = 0
  for (let run = 0; run < runs; run++) {
    const [parts, all] = draw(random)
    const share = parts.reduce((sum, each) => sum + each, 0) / all.reduce((sum, each) => sum + each, 0)
    if (Math.abs(share - SHARE) <= (marginOf(parts, all) ?? 0)) hits++
  }
  assert.ok(Math.abs(hits / runs - 0.95) < 0.015, `${hits} of ${runs}`)
})
