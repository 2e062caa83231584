import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Progress, ProgressWatch } from './progress-watch.ts'

const LIMIT_MS = 800

/** Wakes a watch that is closed with the test. */
function watch(t: TestContext, options: ConstructorParameters<typeof ProgressWatch<string>>[0]) {
  const woken = new ProgressWatch(options)
  // The watch does not keep the process alive, so this timer has to.
  const alive = setInterval(() => {}, 1000)
  t.after(() => {
    clearInterval(alive)
    woken.close()
  })
  woken.wake()
  return woken
}

describe('a worker that gets no further', () => {
  test('is not found after this process was stopped for nearly the limit', async t => {
    const { promise: looked, resolve } = Promise.withResolvers<void>()
    let looks = 0
    const read = (): Progress<string> => {
      looks++
      // Blocks this thread as SIGSTOP does: nothing runs, and afterwards all timers are due.
      if (looks === 2)
        setImmediate(() =>
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIMIT_MS - LIMIT_MS / 10),
        )
      if (looks === 3) setImmediate(resolve)
      return [['worker', 1]]
    }
    watch(t, { limitMs: LIMIT_MS, read, onStuck: () => assert.fail('it was found') })
    await looked
  })

  for (const [what, isRunnable, addedMs] of [
    ['has waited for a core between the looks', false, 1000],
    ['waits for a core, of which Linux tells nothing until the end', true, 0],
  ] as const)
    test(`is found late if it ${what}`, async t => {
      const { promise: found, resolve: find } = Promise.withResolvers<string>()
      let waitedMs = 0
      let looks = 0
      watch(t, {
        limitMs: 8,
        read: () => [['worker', 1]],
        onStuck: find,
        onSlow: () => looks++,
        readCoreTime: () => {
          waitedMs += addedMs
          return { cpuMs: 5, waitedMs, isRunnable }
        },
      })
      assert.equal(await found, 'worker')
      // A look counts at most two of the eight intervals of a limit, so a limit in time would be reached after four.
      assert.ok(looks > 20, `${looks} looks`)
    })

  test('is not found before it has begun', async t => {
    const { promise: found, resolve: find } = Promise.withResolvers<string>()
    const read = (): Progress<string> => [
      ['not ready', null],
      ['worker', 1],
    ]
    watch(t, { limitMs: 40, read, onStuck: find })
    assert.equal(await found, 'worker')
  })
})

test('a watch with nothing to see stops looking, and looks again when it is woken', async t => {
  let workers: Progress<string> = []
  let looks = 0
  const { promise: found, resolve: find } = Promise.withResolvers<string>()
  const woken = watch(t, {
    limitMs: 8,
    read: () => {
      looks++
      return workers
    },
    onStuck: find,
  })
  // Timers of one duration expire in their order, so the watch had time for many looks.
  for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setTimeout(resolve, 1))
  assert.equal(looks, 1)
  workers = [['worker', 1]]
  woken.wake()
  assert.equal(await found, 'worker')
})
