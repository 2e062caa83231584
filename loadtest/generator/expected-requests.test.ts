import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subsetSum } from '../../workers/subset-sum.ts'
import { expectedCpu } from './expected.ts'
import { expectRequest, judgeAnswer } from './expected-requests.ts'
import { scenarios } from './scenarios.ts'

test('an answer is judged by its status and its body', () => {
  const demo = expectRequest(scenarios.demo, 7)
  const cases = [
    [200, demo.body, 'good'],
    [200, JSON.stringify({ ...JSON.parse(demo.body), tasks: [] }), 'wrong body'],
    [503, '{"code":"OVERLOADED"}', 'refused'],
    [504, '{"code":"ANSWER_LATE"}', 'error'],
  ] as const
  for (const [status, body, outcome] of cases) assert.equal(judgeAnswer(demo, status, body), outcome)
})

test('the right bodies, computed by dynamic programming, are what enumeration finds', () => {
  for (let size = 1; size <= 10; size++) {
    for (let seed = 0; seed < 50; seed++) {
      assert.equal(expectedCpu(size, seed), JSON.stringify(subsetSum.run({ size, seed })))
    }
  }
})
