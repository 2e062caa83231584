import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Call, CircuitBreaker } from './circuit-breaker.ts'
import { type CircuitState, createCircuitMemory } from './circuit-cell.ts'

const TRIAL_LIMIT_MS = 3000

function start() {
  let nowMs = 0
  const changes: CircuitState[] = []
  const memory = createCircuitMemory()
  const createBreaker = () =>
    new CircuitBreaker({
      memory,
      trialLimitMs: TRIAL_LIMIT_MS,
      onChange: state => changes.push(state),
      now: () => nowMs,
    })
  const breaker = createBreaker()
  const begin = () => {
    const call = breaker.begin()
    assert.notEqual(call, undefined, 'it is refused')
    return call as Call
  }
  return {
    breaker,
    /** The breaker of another thread for the same circuit. */
    other: createBreaker(),
    changes,
    begin,
    pass: (durationMs: number) => {
      nowMs += durationMs
    },
    call(outcome: 'succeeded' | 'failed' | 'abandoned', times = 1) {
      for (let call = 0; call < times; call++) breaker[outcome](begin())
    },
  }
}

describe('the circuit breaker', () => {
  test('opens when half of the last twenty calls failed, and refuses at once', () => {
    const { breaker, call, changes } = start()
    call('succeeded', 100)
    call('failed', 9)
    call('succeeded', 5)
    assert.deepEqual(changes, [])
    call('failed')
    assert.deepEqual(changes, ['open'])
    assert.equal(breaker.refuses(), true)
    assert.equal(breaker.begin(), undefined)
  })

  test('does not judge by fewer calls than twenty', () => {
    const { call, changes } = start()
    call('failed', 19)
    assert.deepEqual(changes, [])
    call('failed')
    assert.deepEqual(changes, ['open'])
  })

  test('tries with one call after a second, and closes when that succeeds', () => {
    const { breaker, begin, call, changes, pass } = start()
    call('failed', 20)
    pass(999)
    assert.equal(breaker.begin(), undefined)
    pass(1)
    const probe = begin()
    assert.equal(breaker.begin(), undefined, 'one at a time')
    breaker.succeeded(probe)
    assert.deepEqual(changes, ['open', 'trying', 'closed'])
    call('failed', 19)
    assert.equal(breaker.state, 'closed', 'what was before is forgotten')
  })

  test('opens again when the trial fails', () => {
    const { breaker, call, changes, pass } = start()
    call('failed', 20)
    pass(1000)
    call('failed')
    assert.deepEqual(changes, ['open', 'trying', 'open'])
    assert.equal(breaker.refuses(), true)
  })

  test('tries with another call when the trial was abandoned', () => {
    const { call, changes, pass } = start()
    call('failed', 20)
    pass(1000)
    call('abandoned')
    call('succeeded')
    assert.deepEqual(changes, ['open', 'trying', 'closed'])
  })

  test('ignores the outcome of calls that began before it opened', () => {
    const { breaker, begin, call, changes, pass } = start()
    const [slow, late] = [begin(), begin()]
    call('failed', 20)
    breaker.succeeded(slow)
    pass(1000)
    begin()
    breaker.failed(late)
    assert.deepEqual(changes, ['open', 'trying'])
  })
  test('is one circuit for the breakers of all threads', () => {
    const { breaker, other, changes, pass } = start()
    for (let call = 0; call < 20; call++) {
      const caller = call % 2 ? breaker : other
      caller.failed(caller.begin() as Call)
    }
    assert.deepEqual(changes, ['open'])
    assert.deepEqual([breaker.refuses(), other.refuses()], [true, true])
    pass(1000)
    const trial = other.begin() as Call
    assert.equal(breaker.begin(), undefined, 'one trial at a time')
    other.succeeded(trial)
    assert.equal(breaker.state, 'closed')
  })

  test('tries again when the trial has died with its thread', () => {
    const { other, breaker, begin, call, changes, pass } = start()
    call('failed', 20)
    pass(1000)
    begin()
    pass(TRIAL_LIMIT_MS - 1)
    assert.equal(other.begin(), undefined)
    pass(1)
    breaker.succeeded(other.begin() as Call)
    assert.deepEqual(changes, ['open', 'trying', 'closed'])
  })

  test('counts its periods over and over', () => {
    const { call, changes, pass } = start()
    for (let round = 0; round < 200; round++) {
      call('failed', 20)
      pass(1000)
      call('succeeded')
    }
    assert.equal(changes.length, 600)
  })
})
