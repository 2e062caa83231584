import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mean } from '../../statistics/mean.ts'
import { createVariation } from './variation.ts'

describe('the variation of CPU time', () => {
  for (const variation of [0, 0.4, 1.2]) {
    test(`has a mean of 1 and a coefficient of variation of ${variation}`, () => {
      const draw = createVariation(variation)
      const factors = Array.from({ length: 200_000 }, draw)
      const average = mean(factors)
      const deviation = Math.sqrt(mean(factors.map(factor => (factor - average) ** 2)))
      assert.ok(Math.abs(average - 1) < 0.02, `mean ${average}`)
      assert.ok(Math.abs(deviation - variation) <= 0.05 * variation, `deviation ${deviation}`)
    })
  }
})
