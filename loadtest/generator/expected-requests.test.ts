import assert from 'node:assert/strict'
import { test } from 'node:test'
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
