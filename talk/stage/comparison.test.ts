import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareSteps } from './comparison.ts'
import { describeComparison } from './page/words.ts'
import type { Second } from './protocol.ts'

/** Seconds of a step with these costs in microseconds. */
const secondsOf = (step: number, costs: readonly number[], isWarm = true): Second[] =>
  costs.map((cost, index) => ({
    ...{ atMs: index * 1000, durationMs: 1000, step, isWarm, good: 100, failed: 0 },
    ...{ cpuMicros: cost * 100, utilization: 0.5, p50Ms: 1, p99Ms: 2 },
  }))

/** Costs around a value that do not drift. */
const around = (value: number, count: number) =>
  Array.from({ length: count }, (_, index) => value * (1 + 0.01 * Math.sin(index * 12.9898)))

const wordsOf = (seconds: readonly Second[]) => describeComparison(compareSteps([0, 1], seconds)[1], 0)

test('a step cannot be told from the one before until both have five blocks of two seconds', () => {
  const before = secondsOf(0, around(1500, 20))
  assert.equal(wordsOf(before).text, 'not shown yet')
  assert.equal(wordsOf([...before, ...secondsOf(1, around(300, 9))]).text, 'cannot tell yet')
  const said = wordsOf([...before, ...secondsOf(1, around(300, 12))])
  assert.match(said.text, /^5\.0\d × ± 0\.0\d$/)
  assert.deepEqual([said.note, said.verdict], ['less than at step 0', 'faster'])
})

test('a step that costs more says so, and one that costs as much is equivalent', () => {
  const before = secondsOf(0, around(300, 40))
  const more = wordsOf([...before, ...secondsOf(1, around(600, 40))])
  assert.deepEqual([/^2\.00 ×/.test(more.text), more.note], [true, 'more than at step 0'])
  assert.equal(wordsOf([...before, ...secondsOf(1, around(300.3, 40))]).text, 'equivalent')
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
  assert.deepEqual([compared?.blocks, compared?.costMicros], [1, 300])
})

test('a cost that changes while the step is shown is told', () => {
  const [first] = compareSteps([0], secondsOf(0, [...around(300, 14), ...around(360, 14)]))
  assert.match(describeComparison(first, undefined).note, /^drifts: 20 % more$/)
  assert.equal(compareSteps([0], secondsOf(0, around(300, 28)))[0]?.drift, null)
})
