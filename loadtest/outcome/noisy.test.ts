import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adviseOn, describeNoisy, describeRefused, findPoorRows, type Judged } from './noisy.ts'

const calm: Judged = { valid: true, reason: null, noise: null }
const noisy = (ms: number): Judged => ({ valid: true, reason: null, noise: `waited ${ms} ms` })
const refused = (reason: string, noise: string | null = null): Judged => ({ valid: false, reason, noise })

describe('samples that were refused or disturbed', () => {
  test('are counted by reason, the most frequent first, with the figures of one', () => {
    const samples = [refused('3 errors'), refused('waited 6.10 ms'), calm, refused('waited 8.2 ms')]
    assert.equal(
      describeRefused(samples),
      '3 of 4 samples were refused: 2 × like “waited 6.10 ms”; 1 × 3 errors',
    )
    assert.equal(
      describeNoisy([calm, noisy(1), ...samples, noisy(0.5)]),
      '2 of the 4 samples that count were disturbed: 2 × like “waited 1 ms”',
    )
    assert.deepEqual(
      [describeRefused([calm]), describeNoisy([calm, refused('3 errors', 'wait')])],
      [null, null],
    )
  })

  test('of versions that did not save noise are not noisy', () => {
    assert.equal(describeNoisy([{ valid: true, reason: null }]), null)
  })

  test('lead to advice on what to do', () => {
    assert.match(adviseOn([calm, refused('3 errors', 'wait')]), /--accept-noise/)
    assert.doesNotMatch(adviseOn([noisy(1), refused('3 errors')]), /--accept-noise/)
  })

  test('make a row poor when half of its blocks have no valid sample, or all if noise is accepted', () => {
    const find = (acceptNoise: boolean, ...samples: Judged[]) =>
      findPoorRows([{ name: 'apm', samples }], {
        arguments: [],
        command: 'run',
        rounds: 2,
        seed: 1,
        acceptNoise,
      })
    const half = [noisy(1), refused('3 errors')]
    assert.deepEqual(find(false, ...half), ['apm (1 valid sample in 2 blocks)'])
    assert.deepEqual(find(true, ...half), [])
    assert.equal(find(true, refused('3 errors')).length, 1)
    assert.deepEqual(find(false, calm, noisy(1)), [])
  })
})
