import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createComparison } from './compare-rows.ts'
import { fitSlope, productOf, strengthOf, takeOutEffects } from './control-variate.ts'
import { studentQuantile } from './student.ts'

const near = (actual: number | undefined, expected: number, tolerance = 1e-9) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${actual} is not near ${expected}`)
const row = (...values: (number | null)[]) =>
  new Map(values.flatMap((value, index) => (value === null ? [] : [[index + 1, value] as const])))

/** The speed of an invented machine while each sample of two rows was taken. */
const speeds = [
  [0.1, -0.05, 0.2, 0, -0.15, 0.12, -0.08, 0.03],
  [-0.06, 0.14, 0.01, -0.18, 0.09, -0.02, 0.16, -0.11],
] as const
const jitter = [0.01, -0.012, 0.004, 0.009, -0.011, -0.003, 0.008, -0.005] as const

/** Two rows whose metric follows the speed of the machine; the second costs this much more. */
const rowsThatFollow = (effect: number) => [
  row(...speeds[0].map(speed => 5 + speed)),
  row(...speeds[1].map((speed, block) => 5 + effect + speed + (jitter[block] as number))),
]

function compare(effect: number, values: readonly ReturnType<typeof row>[]) {
  const metric = rowsThatFollow(effect)
  return createComparison({ metric, covariate: { values }, better: 'lower', looks: false })(1, 0)
}

describe('Student’s t', () => {
  // Quantiles as in every table; the last has a fraction of a degree of freedom.
  const quantiles: readonly [confidence: number, degrees: number, quantile: number][] = [
    [0.95, 1, 12.7062],
    [0.95, 4, 2.7764],
    [0.99, 6, 3.7074],
    [0.98, 12, 2.681],
    [0.95, 1.5, 6.0154],
  ]
  for (const [confidence, degrees, quantile] of quantiles) {
    test(`of ${degrees} degrees of freedom stays within ${quantile} in ${confidence * 100} %`, () => {
      near(studentQuantile(confidence, degrees), quantile, 1e-3)
    })
  }
})

describe('residuals', () => {
  test('have no effect of rows and blocks, and as many degrees of freedom as a design of both leaves', () => {
    const { rows, degrees } = takeOutEffects([row(1, 2, 3), row(11, 12, 13), row(21, 22, 29)])
    assert.equal(degrees, 4)
    for (const values of rows)
      near(
        [...values.values()].reduce((sum, value) => sum + value),
        0,
      )
    near(rows[2]?.get(3), 6 - 6 / 3 - 6 / 3 + 6 / 9)
  })

  test('survive gaps: a block with a single row tells nothing', () => {
    const whole = takeOutEffects([row(1, 2, 4), row(3, 5, 6)])
    const gaps = takeOutEffects([row(1, 2, 4, null, 9), row(3, 5, 6, 100), row()])
    assert.equal(gaps.degrees, whole.degrees)
    near(productOf(gaps, gaps), productOf(whole, whole), 1e-6)
  })
})

describe('a slope', () => {
  test('of two rows is that of the regression of their differences', () => {
    const covariate = speeds.map(values => row(...values))
    const found = fitSlope(rowsThatFollow(0.1), covariate) ?? assert.fail()
    near(found.slope, 1, 0.05)
    assert.equal(found.degrees, 6)
    assert.ok(strengthOf(found) > 1)
  })

  test('is none of too few values, or of a covariate that never moves', () => {
    assert.equal(fitSlope([row(1, 2), row(2, 4)], [row(1, 3), row(2, 3)]), null)
    assert.equal(
      fitSlope(rowsThatFollow(0), [row(...jitter.map(() => 1)), row(...jitter.map(() => 1))]),
      null,
    )
  })
})

describe('a ratio adjusted by a covariate', () => {
  const covariate = speeds.map(values => row(...values))

  test('finds a small change that the speed of the machine hides, and says both', () => {
    const { verdict, ratio, adjustment } = compare(0.04, covariate)
    assert.equal(verdict, 'slower')
    near(ratio ?? 0, Math.exp(0.04), 0.01)
    assert.equal(adjustment?.decides, true)
    const [low, high] = adjustment?.raw.ci95 ?? assert.fail()
    assert.ok(low < 1 && high > 1, 'the raw ratio finds nothing')
    assert.equal(adjustment?.adjusted.ratio, ratio)
  })

  test('is not taken of a covariate that depends on the row, also if there are few blocks', () => {
    const rows = [0.1, -0.05, 0.2, 0, -0.15, 0.12, -0.08].map(speed => row(speed, speed ** 2))
    const metric = rows.map(values =>
      row(...[...values.values()].map((speed, block) => speed + (jitter[block] as number))),
    )
    const shifted = rows.map((values, index) =>
      row(...[...values.values()].map(speed => speed + (index === 6 ? 1 : 0))),
    )
    const made = createComparison({ metric, covariate: { values: shifted }, better: 'lower', looks: false })
    assert.equal(made(1, 0).adjustment?.decides, true)
    assert.equal(made(6, 5).adjustment, undefined)
  })

  test('is not taken of a covariate that follows something else, moves the wrong way, has gaps, or depends on the row', () => {
    const worthless = speeds.map(values => row(...values.toReversed()))
    const contrary = speeds.map(values => row(...values.map(speed => -speed)))
    const gaps = speeds.map(values => row(...values.map((value, block) => (block === 2 ? null : value))))
    const dependent = speeds.map((values, own) => row(...values.map(speed => speed + own / 2)))
    for (const each of [worthless, contrary, gaps, dependent])
      assert.equal(compare(0.04, each).adjustment, undefined)
  })
})
