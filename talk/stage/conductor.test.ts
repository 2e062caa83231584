import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Conductor, type Stop } from './conductor.ts'

/** A conductor of four steps whose flips end when the test says so. */
function start(t: TestContext, stops: readonly Stop[] = [0, 1, 2, 3].map(step => ({ step }))) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const flips: {
    readonly step: number
    readonly overload: string
    end(): void
    fail(reason: string): void
  }[] = []
  const asked: string[] = []
  let ended = 0
  const conductor = new Conductor({
    steps: [0, 1, 2, 3],
    overloads: ['refuse', 'none'],
    first: { step: 0, overload: 'refuse' },
    tourMs: 1000,
    stops,
    ask: scenario => asked.push(scenario),
    flip({ step, overload }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      flips.push({ step, overload, end: resolve, fail: reason => reject(new Error(reason)) })
      return promise
    },
    onChange() {},
    onTourEnd: () => ended++,
  })
  return {
    conductor,
    steps: () => flips.map(({ step }) => step),
    async end() {
      flips.at(-1)?.end()
      await turn()
    },
    async fail(reason: string) {
      flips.at(-1)?.fail(reason)
      await turn()
    },
    ended: () => ended,
    asked,
    overloads: () => flips.map(({ overload }) => overload),
    pass: (ms: number) => t.mock.timers.tick(ms),
  }
}

test('of several steps that are asked for during a flip, only the last is flipped to', async t => {
  const { conductor, steps, end } = start(t)
  for (const step of [1, 3, 2]) conductor.obey({ kind: 'go', step })
  assert.partialDeepStrictEqual(conductor.state, { step: 0, next: 1, failure: '', tour: null })
  await end()
  await end()
  assert.deepEqual(steps(), [1, 2])
  assert.partialDeepStrictEqual(conductor.state, { step: 2, next: null, failure: '', tour: null })
})

test('the step before stays when the next does not start, and the reason is told until another flip', async t => {
  const { conductor, end, fail } = start(t)
  conductor.obey({ kind: 'go', step: 2 })
  await fail('no port')
  assert.partialDeepStrictEqual(conductor.state, { step: 0, next: null, failure: 'no port', tour: null })
  conductor.obey({ kind: 'move', by: 1 })
  await end()
  assert.partialDeepStrictEqual(conductor.state, { step: 1, next: null, failure: '', tour: null })
})

test('a step or a mode that does not exist is not flipped to, and whoever named it is told so', t => {
  const { conductor, steps } = start(t)
  conductor.obey({ kind: 'move', by: -1 })
  const unknown = /^Error: there is no step 7; there are 0, 1, 2, 3$/
  assert.throws(() => conductor.obey({ kind: 'go', step: 7 }), unknown)
  assert.throws(() => conductor.obey({ kind: 'overload', mode: 'something' }), /there is no mode something/)
  assert.deepEqual(steps(), [])
})

test('a tour shows each step for its time after the flip, and ends after the last', async t => {
  const { conductor, steps, end, ended, pass } = start(t)
  conductor.obey({ kind: 'tour' })
  for (const step of [1, 2, 3]) {
    pass(1000)
    assert.equal(conductor.state.next, step)
    pass(5000)
    await end()
  }
  assert.equal(ended(), 0)
  pass(1000)
  assert.deepEqual([steps(), ended(), conductor.state.tour], [[1, 2, 3], 1, null])
})

test('a command pauses the tour, which goes on from the step that is shown, and after the last from the first', async t => {
  const { conductor, end, pass } = start(t)
  conductor.obey({ kind: 'tour' })
  conductor.obey({ kind: 'go', step: 2 })
  await end()
  pass(9000)
  assert.deepEqual([conductor.state.step, conductor.state.tour], [2, { isPaused: true }])
  conductor.obey({ kind: 'tour' })
  pass(1000)
  assert.equal(conductor.state.next, 3)
  conductor.obey({ kind: 'go', step: 3 })
  await end()
  conductor.obey({ kind: 'tour' })
  assert.equal(conductor.state.next, 0)
})

test('a tour that asks for something else at a stop does so on the way there, also without a flip', async t => {
  const stops: Stop[] = [{ step: 0 }, { step: 2, scenario: 'page' }, { step: 2, scenario: 'mix' }]
  const { conductor, steps, asked, end, ended, pass } = start(t, stops)
  conductor.obey({ kind: 'tour' })
  pass(1000)
  assert.deepEqual([steps(), asked], [[2], ['page']])
  await end()
  pass(1000)
  assert.deepEqual([steps(), asked, ended()], [[2], ['page', 'mix'], 0])
  pass(1000)
  assert.equal(ended(), 1)
})

test('what happens beyond the capacity changes by a flip of the same step, to the next mode or to the one named', async t => {
  const { conductor, steps, overloads, end } = start(t)
  conductor.obey({ kind: 'overload' })
  assert.deepEqual([conductor.state.next, conductor.state.overload], [0, 'refuse'])
  await end()
  assert.deepEqual([conductor.state.next, conductor.state.overload], [null, 'none'])
  conductor.obey({ kind: 'go', step: 3 })
  await end()
  conductor.obey({ kind: 'overload', mode: 'refuse' })
  await end()
  assert.deepEqual(steps(), [0, 3, 3])
  assert.deepEqual(overloads(), ['none', 'none', 'refuse'])
})

test('a conductor that is closed during a flip of a tour goes to no further stop', async t => {
  const { conductor, steps, end, pass } = start(t)
  conductor.obey({ kind: 'tour' })
  pass(1000)
  const closed = conductor.close()
  await end()
  await closed
  pass(1000)
  assert.deepEqual(steps(), [1])
})
