import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitNonNegative, type Observation } from './non-negative.ts'

const observe = (terms: readonly number[], value: number, weight = 1): Observation => ({
  terms,
  value,
  weight,
})

function near(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length)
  for (const [index, value] of expected.entries())
    assert.ok(Math.abs((actual[index] as number) - value) < 1e-9, `${actual} is not ${expected}`)
}

describe('non-negative least squares', () => {
  test('finds the factors that values were made with', () => {
    const made = [
      [1, 0.5, 3],
      [1, 2, 1],
      [1, 5, 2],
      [1, 7, 0],
    ].map(terms =>
      observe(terms, 3 * (terms[0] as number) + 0.5 * (terms[1] as number) + (terms[2] as number)),
    )
    near(fitNonNegative(made), [3, 0.5, 1])
  })

  test('leaves a term out whose factor would be negative, and fits the others anew', () => {
    near(fitNonNegative([observe([1, 0], 2), observe([1, 1], 1)]), [1.5, 0])
    near(fitNonNegative([observe([1, 1], 2), observe([1, 2], 5)]), [0, 2.4])
  })

  test('counts errors by their weight', () => {
    near(fitNonNegative([observe([1], 1, 3), observe([1], 5, 1)]), [2])
  })

  test('needs as few terms as tell the values', () => {
    near(fitNonNegative([observe([1, 4], 8)]), [8, 0])
    near(fitNonNegative([observe([1, 2], 0), observe([1, 3], 0)]), [0, 0])
    near(fitNonNegative([observe([1, 2], 3), observe([1, 2], 5)]), [4, 0])
    near(fitNonNegative([]), [])
  })
})
