import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { createTaskPool, type PoolOptions, type TaskPoolError } from './index.ts'

type Tasks = typeof import('./task-pool.fixture.ts')

const tasks = new URL('./task-pool.fixture.ts', import.meta.url)

async function start(t: TestContext, options: Partial<PoolOptions> = {}) {
  const one = options.maxThreads === undefined ? { threads: 1 } : {}
  const pool = await createTaskPool<Tasks>({ tasks, workerPriority: 0, ...one, ...options })
  t.after(() => pool.close({ graceMs: 0 }))
  return pool
}

const hasCode = (code: string) => ({ name: 'TaskPoolError', code })

/** Tasks that hold their place until they are let go. */
function holding() {
  const state = new Int32Array(new SharedArrayBuffer(8))
  return {
    state,
    /** Resolves when this number of tasks has begun. */
    async begun(count: number): Promise<void> {
      for (let now = Atomics.load(state, 0); now < count; now = Atomics.load(state, 0))
        await Atomics.waitAsync(state, 0, now).value
    },
    letGo() {
      Atomics.store(state, 1, 1)
      Atomics.notify(state, 1)
    },
  }
}

describe('what a task gets and gives', () => {
  test('inputs are given away with transferList, and come in their turn among others', async t => {
    const pool = await start(t)
    const isGiven = (size: number) => size % 3 === 0
    const inputs = Array.from({ length: 60 }, (_, size) => new ArrayBuffer(size))
    const sizes = inputs.map((bytes, size) =>
      pool.run('sizeOf', bytes, isGiven(size) ? { transferList: [bytes] } : {}),
    )
    assert.deepEqual([...(await Promise.all(sizes)).keys()], await Promise.all(sizes))
    for (const [size, { detached }] of inputs.entries()) assert.equal(detached, isGiven(size))
    const { port1, port2 } = new MessageChannel()
    t.after(() => port1.close())
    const answered = once(port1, 'message')
    await pool.run('answer', port2, { transferList: [port2] })
    assert.deepEqual((await answered)[0], 'an answer')
  })

  test('an input that cannot be given away fails its task alone', async t => {
    const pool = await start(t)
    const bytes = new ArrayBuffer(8)
    structuredClone(bytes, { transfer: [bytes] })
    const runs = [pool.run('sizeOf', bytes, { transferList: [bytes] }), pool.run('thread')]
    const [failed, other] = await Promise.allSettled(runs)
    assert.equal(failed?.status === 'rejected' && failed.reason.code, 'TASK_FAILED')
    assert.equal(other?.status, 'fulfilled')
  })

  test('an output is given away with move, whole or in part', async t => {
    const pool = await start(t)
    const bytes = await pool.run('giveAway', 10)
    assert.deepEqual([...bytes], Array(10).fill(7))
    assert.equal((await pool.run('giveAwayPart')).kept.byteLength, 8)
    assert.equal(await pool.run('keptSize'), 0, 'the thread has it no more')
  })

  test('outputs that cannot be given away fail their tasks, and no others', async t => {
    const pool = await start(t)
    const held = holding()
    const first = pool.run('hold', held.state)
    await held.begun(1)
    // They wait, so that they travel together.
    const names = ['thread', 'giveAwayTwice', 'giveAwayTwice', 'thread'] as const
    const runs = Promise.allSettled([pool.run('thread'), ...names.map(name => pool.run(name))])
    held.letGo()
    await first
    const ends = (await runs).slice(1).map(({ status }) => status)
    assert.deepEqual(ends, ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  test('env, argv, execArgv, workerData and resourceLimits are those of the threads', async t => {
    const shared = { argv: ['--an-argument'], execArgv: ['--no-warnings'], workerData: { size: 7 } }
    const resourceLimits = { maxYoungGenerationSizeMb: 12 }
    const pool = await start(t, { ...shared, resourceLimits, env: { ONLY_HERE: 'yes' } })
    assert.deepEqual(await pool.run('whereAmI'), { ...shared, env: 'yes', youngMb: 12 })
    process.env.ONLY_HERE = 'inherited'
    t.after(() => delete process.env.ONLY_HERE)
    const { workerData, env } = await (await start(t)).run('whereAmI')
    assert.deepEqual([workerData, env], [undefined, 'inherited'])
  })
})

describe('a task whose signal is aborted', () => {
  test('ends with its thread if it runs, and another thread takes its place', async t => {
    const pool = await start(t)
    const before = await pool.run('thread')
    const [controller, held] = [new AbortController(), holding()]
    const running = pool.run('hold', held.state, { signal: controller.signal })
    await held.begun(1)
    const behind = pool.run('thread')
    controller.abort(new Error('not needed'))
    await assert.rejects(running, { message: 'not needed' })
    assert.notEqual(await behind, before)
    held.letGo()
  })

  test('does not begin if it was sent and has not begun, and its thread stays', async t => {
    const pool = await start(t)
    const file = join(temporaryDirectory(t), 'trace')
    const [controller, held] = [new AbortController(), holding()]
    const running = pool.run('hold', held.state)
    await held.begun(1)
    const { signal } = controller
    const sent = Array.from({ length: 3 }, () => pool.run('trace', file, { signal }))
    controller.abort()
    for (const each of sent) await assert.rejects(each, { name: 'AbortError' })
    const last = pool.run('trace', file)
    held.letGo()
    await Promise.all([last, running])
    assert.equal(readFileSync(file, 'utf8'), 'x')
    assert.equal(await pool.run('thread'), await running)
  })

  test('costs no other task its output', async t => {
    const pool = await start(t)
    const [controller, first, held] = [new AbortController(), holding(), holding()]
    const others = [pool.run('hold', first.state)]
    const add = () => void others.push(pool.run('thread'))
    await first.begun(1)
    for (let count = 0; count < 40; count++) add()
    const running = pool.run('hold', held.state, { signal: controller.signal })
    for (let count = 0; count < 40; count++) add()
    first.letGo()
    await held.begun(1)
    controller.abort()
    await assert.rejects(running, { name: 'AbortError' })
    assert.equal((await Promise.all(others)).length, 81)
  })

  test('gives nothing away if it was aborted before, and leaves no listener on its signal when it ends', async t => {
    const pool = await start(t)
    const { signal } = new AbortController()
    const given = { ended: new ArrayBuffer(8), aborted: new ArrayBuffer(8) }
    await pool.run('sizeOf', given.ended, { signal, transferList: [given.ended] })
    await assert.rejects(pool.run('sizeOf', new ArrayBuffer(8), { signal, transferList: [given.ended] }))
    assert.equal(getEventListeners(signal, 'abort').length, 0)
    const options = { signal: AbortSignal.abort(), transferList: [given.aborted] }
    await assert.rejects(pool.run('sizeOf', given.aborted, options), { name: 'AbortError' })
    assert.equal(given.aborted.detached, false)
  })

  test('is dropped beside other asynchronous tasks, which go on', async t => {
    const pool = await start(t, { concurrentTasksPerWorker: 2 })
    const [controller, held] = [new AbortController(), holding()]
    const other = pool.run('holdAsync', held.state)
    const aborted = pool.run('holdAsync', held.state, { signal: controller.signal })
    await held.begun(2)
    controller.abort()
    await assert.rejects(aborted, { name: 'AbortError' })
    held.letGo()
    assert.equal(await pool.run('thread'), await other)
  })
})

describe('the threads of a pool', () => {
  test('are started while tasks wait, up to maxThreads, and end when they are idle', async t => {
    const pool = await start(t, { minThreads: 1, maxThreads: 3, idleTimeout: 10 })
    assert.equal(pool.threads, 1)
    const held = holding()
    const runs = Array.from({ length: 5 }, () => pool.run('hold', held.state))
    await held.begun(3)
    assert.equal(pool.threads, 3)
    held.letGo()
    assert.equal(new Set(await Promise.all(runs)).size, 3)
    while (pool.threads > 1) await turn()
    assert.equal(typeof (await pool.run('thread')), 'number')
  })

  test('are none with minThreads 0 when they are idle, and one again for the next task', async t => {
    const pool = await start(t, { minThreads: 0, maxThreads: 1, idleTimeout: 1 })
    const before = await pool.run('thread')
    while (pool.threads > 0) await turn()
    assert.notEqual(await pool.run('thread'), before)
  })

  test('run several asynchronous tasks each with concurrentTasksPerWorker, and no more', async t => {
    const pool = await start(t, { concurrentTasksPerWorker: 3 })
    const held = holding()
    const runs = Array.from({ length: 5 }, () => pool.run('holdAsync', held.state))
    await held.begun(3)
    await turn()
    assert.equal(Atomics.load(held.state, 0), 3)
    held.letGo()
    assert.equal(new Set(await Promise.all(runs)).size, 1)
  })

  for (const [what, name, code] of [
    ['that takes too long fails alone', 'never', 'TASK_TIMEOUT'],
    ['that blocks the thread is ended with it', 'loopLater', 'WORKER_DIED'],
  ] as const)
    test(`with several tasks: one ${what}`, async t => {
      const pool = await start(t, { concurrentTasksPerWorker: 2, taskTimeoutMs: 300 })
      const before = await pool.run('thread')
      await assert.rejects(pool.run(name), hasCode(code))
      assert.equal((await pool.run('thread')) === before, name === 'never')
    })

  test('are replaced by recycle, after the tasks that they have', async t => {
    const pool = await start(t, { maxThreads: 2 })
    const held = holding()
    const running = [pool.run('hold', held.state), pool.run('hold', held.state)]
    await held.begun(2)
    const recycled = pool.recycle()
    held.letGo()
    const old = await Promise.all(running)
    await recycled
    assert.equal(pool.threads, 2)
    assert.ok(!old.includes(await pool.run('thread')))
  })
})

describe('a pool', () => {
  test('refuses more tasks than maxQueue beside those that run', async t => {
    const pool = await start(t, { maxQueue: 2 })
    const held = holding()
    const runs = [1, 2, 3].map(() => pool.run('hold', held.state))
    await assert.rejects(pool.run('thread'), hasCode('OVERLOADED'))
    held.letGo()
    await Promise.all(runs)
    assert.equal(typeof (await pool.run('thread')), 'number')
    const none = await start(t, { maxQueue: 0 })
    assert.equal(typeof (await none.run('thread')), 'number')
  })

  test('records the times of tasks if it is told to', async t => {
    const pool = await start(t, { recordTiming: true })
    const held = holding()
    const runs = [1, 2].map(() => pool.run('hold', held.state))
    await held.begun(1)
    const beganAt = performance.now()
    while (performance.now() < beganAt + 20);
    held.letGo()
    await Promise.all(runs)
    const { waitTime, runTime } = pool.histogram ?? assert.fail()
    assert.ok(runTime.max >= 10 && runTime.min < runTime.max, JSON.stringify(runTime))
    assert.ok(Number(waitTime.p99_9) >= 10 && waitTime.average > 0, JSON.stringify(waitTime))
    pool.histogram?.resetRunTime()
    assert.equal(pool.histogram?.runTime.average, 0)
    assert.equal((await start(t)).histogram, undefined)
  })

  for (const [what, name, idempotent, ends, expected] of [
    ['a task that ends its thread costs no other its output', 'die', false, ['done'], 1],
    ['an idempotent task runs again when its output is lost', 'die', true, ['done'], 2],
    // On a busy machine the task may take so long that its output is sent before the next task begins.
    ['a task whose output is lost does not run again', 'loop', false, ['WORKER_DIED', 'done'], 1],
  ] as const) {
    test(what, async t => {
      const pool = await start(t, { idempotent, taskTimeoutMs: 500 })
      // An output that was sent early, on a busy machine, is not lost: then the same is tried again.
      while ((await lose(pool)) < expected) assert.ok(idempotent)
    })

    async function lose(pool: Awaited<ReturnType<typeof start>>): Promise<number> {
      // As a task that is known to be short, it does not make the thread send what is done before.
      await pool.run(name, false)
      const [held, counted] = [holding(), holding()]
      counted.letGo()
      const first = pool.run('hold', held.state)
      await held.begun(1)
      // The first waits in the thread; the others wait in the queue, and travel together.
      const runs = [
        pool.run('thread'),
        pool.run('hold', counted.state),
        pool.run(name, true),
        pool.run('thread'),
      ]
      const ended = Promise.allSettled(runs)
      held.letGo()
      await first
      const [, done, failed, last] = await ended
      const end = done?.status === 'rejected' ? done.reason.code : 'done'
      assert.ok(ends.includes(end as never), end)
      assert.deepEqual([failed?.status, last?.status], ['rejected', 'fulfilled'])
      const times = Atomics.load(counted.state, 0)
      assert.ok(times <= expected, `it ran ${times} times`)
      return times
    }
  }

  test('an output that cannot be sent early is the failure of its task alone', async t => {
    const pool = await start(t)
    const held = holding()
    const first = pool.run('hold', held.state)
    await held.begun(1)
    // Some of these travel together. The last ones begin so late that outputs before them are sent.
    const runs = [pool.run('thread'), pool.run('close'), pool.run('wait', 10), pool.run('thread')]
    const ended = Promise.allSettled([...runs, pool.run('wait', 10), pool.run('thread')])
    held.letGo()
    const thread = await first
    const shown = (await ended).map(end => (end.status === 'rejected' ? end.reason.code : end.value))
    assert.deepEqual(shown, [thread, 'TASK_FAILED', undefined, thread, undefined, thread])
  })

  test('refuses a task that the module has not, and names it and those that it has', async t => {
    const pool = await start(t)
    for (const name of ['nope', 'toString', 'notATask', 'default'])
      await assert.rejects(pool.run(name as 'thread'), ({ code, message }: TaskPoolError) => {
        assert.equal(code, 'UNKNOWN_TASK')
        assert.match(message, new RegExp(`no task is named ${name}; there are .*\\bgiveAway,`))
        return true
      })
  })

  // The rules themselves have tests of their own.
  test('and its tasks have no option with a wrong value', async t => {
    const pool = await start(t)
    const ofTasks = [{ transferlist: [] }, { transferList: 5 }, { signal: 'now' }, { priority: 1 }]
    for (const options of [...ofTasks, ...[Number.NaN, '500', null].map(deadline => ({ deadline }))])
      await assert.rejects(pool.run('thread', undefined, options as never), {
        name: 'RangeError',
        message: new RegExp(`^run.* ${Object.keys(options)[0]}[ ;]`),
      })
    const ofPools = { tasks: './tasks.ts', threads: 65, minThreads: -1, maxThreads: 0, idleTimeout: '1s' }
    const limits = {
      maxQueue: 1.5,
      maxWaitMs: -1,
      taskTimeoutMs: 99,
      workerMemoryMib: 31,
      workerPriority: 20,
    }
    const others = { concurrentTasksPerWorker: 0, idempotent: 'yes', recordTiming: 1, filename: 'a.js' }
    for (const [name, value] of Object.entries({ ...ofPools, ...limits, ...others }))
      await assert.rejects(createTaskPool({ tasks, [name]: value } as never), {
        name: 'RangeError',
        message: new RegExp(`^createTaskPool.* ${name}[ ;]`),
      })
    for (const [options, message] of [
      [{ minThreads: 3, maxThreads: 2 }, /minThreads \(3\) is more than/],
      [{ threads: 1, maxThreads: 2 }, /excludes these/],
      [{ workerData: () => {} }, /could not be cloned/],
      [{ env: 'A=b' as never }, /options\.env/],
    ] as const)
      await assert.rejects(createTaskPool({ tasks, ...options }), message)
  })
})
