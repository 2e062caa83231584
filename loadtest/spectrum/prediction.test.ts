import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Concern } from '../../app/concerns.ts'
import { lastStep, type Step, steps } from '../../app/steps.ts'
import { record } from '../../lib/record.ts'
import { findNext, predict } from './prediction.ts'
import { type Slice, type Spectrum, slices } from './spectrum.ts'

const spectrum = (shares: Partial<Record<Slice, number>>) =>
  ({ shares: { ...record(slices, () => 0), ...shares }, reason: null }) as Spectrum
const [monolith, compute, serialization] = steps as readonly [Step, Step, Step]
const apm = steps.at(-2) as Step

describe('a prediction', () => {
  test('is what the concern that moves has in the spectrum of the row above', () => {
    const above = spectrum({ compute: 0.75, gc: 0.1 })
    assert.deepEqual(predict(monolith, compute, above), {
      concern: 'compute',
      share: 0.75,
      ratioAtBest: 0.25,
    })
  })

  test('is none without a row above or its spectrum, and when more than one concern moves', () => {
    assert.equal(predict(undefined, monolith, null), null)
    assert.equal(predict(monolith, compute, null), null)
    assert.equal(predict(monolith, serialization, spectrum({})), null)
  })

  test('is none for a move that the ladder does not make, and from a spectrum in doubt', () => {
    const back = { composition: { ...compute.composition, compute: 'inline' as const } }
    assert.equal(predict(compute, back, spectrum({ compute: 0.1 })), null)
    const inDoubt = { ...spectrum({ compute: 0.7 }), reason: 'busy' }
    assert.equal(predict(monolith, compute, inDoubt), null)
    assert.equal(findNext(monolith, inDoubt), null)
  })

  const elsewhere = { ...lastStep, composition: { ...lastStep.composition, compute: 'processes' as const } }
  const nexts: readonly [string, Step, Partial<Record<Slice, number>>, Concern, boolean][] = [
    ['the largest concern', monolith, { compute: 0.7, apm: 0.2, http: 0.9 }, 'compute', true],
    ['the largest that has not moved', compute, { compute: 0.4, apm: 0.2, logging: 0.1 }, 'apm', true],
    [
      'the largest of all when what was moved elsewhere costs most',
      elsewhere,
      { compute: 0.4 },
      'compute',
      false,
    ],
    ['the largest of all when what has not moved costs nothing', apm, { logging: 0.2 }, 'logging', false],
    ['the largest of all when all have', lastStep, { compute: 0.1, logging: 0.2, gc: 0.4 }, 'logging', false],
  ]
  for (const [what, step, shares, concern, isOnLadder] of nexts)
    test(`of what is next names ${what}`, () => {
      const share = shares[concern] as number
      assert.deepEqual(findNext(step, spectrum(shares)), { concern, share, isOnLadder })
    })
})
