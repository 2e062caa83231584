import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CallOutcome, CircuitBreaker, type CircuitState, type PermittedCall } from './circuit-breaker.ts'

function start() {
  let nowMs = 0
  const changes: CircuitState[] = []
  const breaker = new CircuitBreaker({ onChange: state => changes.push(state), now: () => nowMs })
  const begin = () => {
    const call = breaker.begin()
    assert.notEqual(call, undefined, 'it is refused')
    return call as PermittedCall
  }
  return {
    breaker,
    changes,
    begin,
    pass: (durationMs: number) => {
      nowMs += durationMs
    },
    call(outcome: CallOutcome, times = 1) {
      for (let call = 0; call < times; call++) breaker.end(begin(), outcome)
    },
  }
}

describe('the circuit breaker', () => {
  test('opens when half of the last twenty calls failed, and refuses at once', () => {
    const { breaker, call, changes } = start()
    call('failed', 9)
    call('succeeded', 100)
    call('failed', 9)
    call('succeeded', 5)
    assert.deepEqual(changes, [])
    call('failed')
    assert.deepEqual(changes, ['open'])
    assert.equal(breaker.refuses(), true)
    assert.equal(breaker.begin(), undefined)
  })

  test('tries with one call after a second, and closes when that succeeds', () => {
    const { breaker, begin, call, changes, pass } = start()
    call('failed', 20)
    pass(999)
    assert.equal(breaker.begin(), undefined)
    pass(1)
    const probe = begin()
    assert.equal(breaker.begin(), undefined, 'one at a time')
    breaker.end(probe, 'succeeded')
    assert.deepEqual(changes, ['open', 'trying', 'closed'])
    call('failed', 19)
    assert.equal(breaker.state, 'closed', 'what was before is forgotten')
  })

  for (const [trial, then, expected] of [
    ['failed', undefined, ['open', 'trying', 'open']],
    ['abandoned', 'succeeded', ['open', 'trying', 'closed']],
  ] as const)
    test(`is ${expected.at(-1)} after a trial that ${trial}, and then ${then}`, () => {
      const { call, changes, pass } = start()
      call('failed', 20)
      pass(1000)
      call(trial)
      if (then) call(then)
      assert.deepEqual(changes, expected)
    })

  test('ignores the outcome of calls that began before it opened', () => {
    const { breaker, begin, call, changes, pass } = start()
    const [slow, late] = [begin(), begin()]
    call('failed', 20)
    breaker.end(slow, 'succeeded')
    pass(1000)
    begin()
    breaker.end(late, 'failed')
    assert.deepEqual(changes, ['open', 'trying'])
  })
})
