import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Step, steps } from '../../app/steps.ts'
import { record } from '../../lib/record.ts'
import { predict, type Slice, type Spectrum, slices } from './spectrum.ts'

const spectrum = (shares: Partial<Record<Slice, number>>) =>
  ({ shares: { ...record(slices, () => 0), ...shares }, reason: null }) as Spectrum
const [monolith, compute, serialization] = steps as readonly [Step, Step, Step]

describe('a prediction', () => {
  test('is what the concern that moves has in the spectrum of the row above', () => {
    const above = spectrum({ compute: 0.75, gc: 0.1 })
    assert.deepEqual(predict(monolith, compute, above), { ratioAtBest: 0.25 })
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
  })
})
