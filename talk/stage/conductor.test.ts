import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Conductor } from './conductor.ts'

/** A conductor of four steps whose flips end when the test says so. */
function start(t: TestContext, direction: 1 | -1 = 1) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const flips: { readonly step: number; end(): void; fail(reason: string): void }[] = []
  let ended = 0
  const conductor = new Conductor({
    ...{ steps: [0, 1, 2, 3], first: 0, tourMs: 1000, direction },
    flip(step) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      flips.push({ step, end: resolve, fail: reason => reject(new Error(reason)) })
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
    pass: (ms: number) => t.mock.timers.tick(ms),
  }
}

test('of several steps that are asked for during a flip, only the last is flipped to', async t => {
  const { conductor, steps, end } = start(t)
  for (const step of [1, 3, 2]) conductor.obey({ kind: 'go', step })
  assert.deepEqual(conductor.state, { step: 0, next: 1, failure: '', tour: null })
  await end()
  await end()
  assert.deepEqual(steps(), [1, 2])
  assert.deepEqual(conductor.state, { step: 2, next: null, failure: '', tour: null })
})

test('the step before stays when the next does not start, and the reason is told until another flip', async t => {
  const { conductor, end, fail } = start(t)
  conductor.obey({ kind: 'go', step: 2 })
  await fail('no port')
  assert.deepEqual(conductor.state, { step: 0, next: null, failure: 'no port', tour: null })
  conductor.obey({ kind: 'move', by: 1 })
  await end()
  assert.deepEqual(conductor.state, { step: 1, next: null, failure: '', tour: null })
})

test('a step that does not exist is not flipped to', t => {
  const { conductor, steps } = start(t)
  conductor.obey({ kind: 'move', by: -1 })
  conductor.obey({ kind: 'go', step: 7 })
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

test('a command pauses the tour, which goes on from the step that is shown', async t => {
  const { conductor, end, pass } = start(t)
  conductor.obey({ kind: 'tour' })
  conductor.obey({ kind: 'go', step: 2 })
  await end()
  pass(9000)
  assert.deepEqual([conductor.state.step, conductor.state.tour], [2, { isPaused: true }])
  conductor.obey({ kind: 'tour' })
  pass(1000)
  assert.equal(conductor.state.next, 3)
})

test('a tour that starts at the last step begins again with the first', t => {
  const { conductor, steps } = start(t)
  conductor.obey({ kind: 'go', step: 3 })
  conductor.obey({ kind: 'tour' })
  assert.deepEqual(steps(), [3])
})

test('a tour down begins with the last step and ends with the first', async t => {
  const { conductor, steps, end, ended, pass } = start(t, -1)
  conductor.obey({ kind: 'tour' })
  for (const step of [3, 2, 1, 0]) {
    assert.equal(conductor.state.next, step)
    await end()
    pass(1000)
  }
  assert.deepEqual([steps(), ended()], [[3, 2, 1, 0], 1])
})
