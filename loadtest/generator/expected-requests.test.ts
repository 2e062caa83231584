import assert from 'node:assert/strict'
import { test } from 'node:test'
import { degradedHeaders } from '../../app/server/overload/degraded.ts'
import { expectRequest, judgeAnswer } from './expected-requests.ts'
import { scenarios } from './scenarios.ts'

test('an answer is judged by its status, its header and its body', () => {
  const demo = expectRequest(scenarios.demo, 7)
  const whole = demo.body
  const degraded = JSON.stringify({ ...JSON.parse(whole), tasks: [] })
  const cases = [
    [200, {}, whole, 'good'],
    [200, {}, degraded, 'wrong body'],
    [200, degradedHeaders, degraded, 'degraded'],
    [200, degradedHeaders, whole, 'wrong body'],
    [503, {}, '{"code":"OVERLOADED"}', 'refused'],
    [504, {}, '{"code":"ANSWER_LATE"}', 'error'],
  ] as const
  for (const [status, headers, body, outcome] of cases)
    assert.equal(judgeAnswer(demo, status, headers, body), outcome)
  const hello = expectRequest(scenarios.hello, 1)
  assert.equal(judgeAnswer(hello, 200, degradedHeaders, hello.body), 'wrong body', 'it cannot be degraded')
})
