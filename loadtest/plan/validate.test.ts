import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selectRow } from '../sample/rows.ts'
import type { SampleSettings } from '../sample/settings.ts'
import { inventedSource, NEVER } from './plan.fixture.ts'
import type { ValidationSample } from './results.ts'
import { validate } from './validate.ts'

const rows = [selectRow('0', {}), selectRow('1', {})]
const settings: SampleSettings = {
  ...{ scenario: 'demo', connections: 50, threads: 1, arrivals: 'poisson', seed: 1, beside: null },
  ...{ warmupSeconds: 2, durationSeconds: 4, acceptNoise: false },
}
const [sample] = inventedSource.results.steps[0]?.samples ?? []

/** @param capacities goodput of the first row in a closed loop, by block; 0 if it is refused */
async function validateRates(capacities: readonly number[], earlier: readonly ValidationSample[] = []) {
  assert.ok(sample)
  const rates: Record<string, Set<number>> = {}
  let validation = earlier
  await validate({
    ...{ rows, settings, earlier, blocks: capacities.length, abort: NEVER },
    save: samples => {
      validation = samples
    },
    take: async ({ name, ratePerSecond }, round) => {
      const capacity = name === 'monolith' ? (capacities[round - 1] as number) : 900
      const key = `${name} in block ${round}`
      if (ratePerSecond !== undefined) rates[key] = (rates[key] ?? new Set()).add(ratePerSecond)
      const valid = capacity > 0
      return {
        ...sample,
        round,
        goodput: ratePerSecond ?? capacity,
        valid,
        reason: valid ? null : 'no answer',
      }
    },
  })
  return { rates, validation }
}

const sharesOf = (capacity: number) => new Set([10, 30, 60, 90].map(share => (capacity * share) / 100))

describe('a validation', () => {
  test('measures all rows of a block at shares of what the first row answers in it', async () => {
    const { rates } = await validateRates([600, 400])
    assert.deepEqual(rates, {
      'monolith in block 1': sharesOf(600),
      'compute in block 1': sharesOf(600),
      'monolith in block 2': sharesOf(400),
      'compute in block 2': sharesOf(400),
    })
  })

  test('takes the capacity of the block before if that of a block is refused', async () => {
    const { rates } = await validateRates([600, 0])
    assert.deepEqual(rates['compute in block 2'], sharesOf(600))
  })

  test('leaves a block out whose rates are unknown, and measures it when it goes on', async () => {
    const { validation } = await validateRates([0, 400])
    assert.deepEqual([...new Set(validation.map(({ round }) => round))], [2])
    const { rates } = await validateRates([500, 400], validation)
    assert.deepEqual(rates, { 'monolith in block 1': sharesOf(500), 'compute in block 1': sharesOf(500) })
  })
})
