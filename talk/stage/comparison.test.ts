import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change, Second } from '../../screen/stage-messages.ts'
import { describeChange, describeComparison, explainComparison } from '../../screen/words.ts'
import { compareSteps, compareWithBefore } from './comparison.ts'
import { secondOf } from './recording.fixture.ts'

/** Seconds of a step with these costs in microseconds. */
const secondsOf = (step: number, costs: readonly number[], isWarm = true): Second[] =>
  costs.map((cost, index) => ({ ...secondOf(step, cost), atMs: index * 1000, isWarm }))

/** Costs around a value that do not drift. */
const around = (value: number, count: number) =>
  Array.from({ length: count }, (_, index) => value * (1 + 0.01 * Math.sin(index * 12.9898)))

const wordsOf = (seconds: readonly Second[]) => describeComparison(compareSteps([0, 1], seconds)[1], 0)

test('a step cannot be told from the one before until both have five blocks of two seconds', () => {
  const before = secondsOf(0, around(1500, 20))
  assert.equal(wordsOf(before).text, 'not shown')
  assert.equal(wordsOf([...before, ...secondsOf(1, around(300, 9))]).text, 'cannot tell yet')
  const compared = compareSteps([0, 1], [...before, ...secondsOf(1, around(300, 12))])[1]
  assert.deepEqual(describeComparison(compared, 0), { text: '5.0–5.0× less', verdict: 'faster' })
  assert.equal(
    explainComparison(compared, 0).text,
    'A request costs the main thread 5.0–5.0× less than at step 0.',
  )
})

test('a step that costs more says so, and one that costs as much is the same', () => {
  const before = secondsOf(0, around(300, 40))
  const more = wordsOf([...before, ...secondsOf(1, around(600, 40))])
  assert.deepEqual([/^1\.99–2\.0\d× more$/.test(more.text), more.verdict], [true, 'slower'])
  const same = compareSteps([0, 1], [...before, ...secondsOf(1, around(300.3, 40))])[1]
  assert.equal(describeComparison(same, 0).text, 'the same')
  assert.match(explainComparison(same, 0).text, /^The same: .* times the cost of step 0/)
})

test('an interval is told as it is, and one that is close to 1 never looks as if it held 1', () => {
  const change = { ratio: 1.3, ci95: [1.0304, 1.7], verdict: 'slower' } as const
  assert.equal(describeChange(change).text, '1.03–1.70× more')
  assert.equal(describeChange({ ...change, ci95: [1.004, 1.7] }).text, '1.004–1.700× more')
  assert.equal(describeChange({ ratio: 0.5, ci95: [0.25, 0.8], verdict: 'faster' }).text, '1.25–4.00× less')
})

test('the step that is shown is compared with the one that was shown before it, in every figure', () => {
  const seconds = [...secondsOf(5, around(300, 20)), ...secondsOf(2, around(600, 20))]
  const compared = compareWithBefore(2, seconds)
  assert.equal(compared?.before, 5)
  assert.equal(compared.changes.cost.verdict, 'slower')
  assert.equal(compared.changes.goodput.ratio, 1)
  assert.equal(compareWithBefore(5, secondsOf(5, around(300, 20))), null)
  // Without answers, nothing is infinitely more or less.
  const silent = secondsOf(2, around(300, 12)).map(second => ({ ...second, good: 0, p50Ms: null }))
  const { cost } = compareWithBefore(2, [...secondsOf(5, around(300, 12)), ...silent])?.changes ?? {}
  assert.deepEqual(cost, { ratio: null, ci95: null, verdict: 'inconclusive' })
  assert.equal(describeChange(cost as Change).verdict, 'none')
})

test('a step says the same whether it was shown before or after the one below it', () => {
  const [below, above] = [secondsOf(0, around(1500, 20)), secondsOf(1, around(300, 20))]
  assert.deepEqual(compareSteps([0, 1], [...below, ...above]), compareSteps([0, 1], [...above, ...below]))
})

test('seconds of the warm-up and of a flip do not count', () => {
  const flip = secondsOf(1, [1]).map(second => ({ ...second, cpuMicros: null }))
  const [, compared] = compareSteps(
    [0, 1],
    [...secondsOf(1, [9000, 9000], false), ...flip, ...secondsOf(1, [300, 300])],
  )
  assert.deepEqual([compared?.blocks, compared?.medians.cost], [1, 300])
})

test('a cost that changes while the step is shown is told', () => {
  const [first] = compareSteps([0], secondsOf(0, [...around(300, 14), ...around(360, 14)]))
  assert.ok(first?.drift && Math.abs(first.drift - 0.2) < 0.01)
  const compared = compareSteps(
    [0, 1],
    [...secondsOf(0, around(300, 28)), ...secondsOf(1, [...around(300, 14), ...around(360, 14)])],
  )
  assert.equal(describeComparison(compared[1], 0).text, 'drifts: 20 % more')
  assert.equal(compareSteps([0], secondsOf(0, around(300, 28)))[0]?.drift, null)
})
