import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { createTaskPool, type PoolOptions, type TaskPoolError } from './index.ts'

type Tasks = typeof import('./task-pool.fixture.ts')

const tasks = new URL('./task-pool.fixture.ts', import.meta.url)

async function start(t: TestContext, options: Partial<PoolOptions> = {}) {
  const pool = await createTaskPool<Tasks>({ tasks, threads: 1, workerPriority: 0, ...options })
  t.after(() => pool.close())
  return pool
}

const shared = () => new Int32Array(new SharedArrayBuffer(8))

/** Keeps the only thread of a pool busy. Resolves when it is. */
async function occupy(pool: Awaited<ReturnType<typeof start>>) {
  const state = shared()
  const held = pool.run('hold', state)
  await Atomics.waitAsync(state, 0, 0).value
  const letGo = () => {
    Atomics.store(state, 1, 1)
    Atomics.notify(state, 1)
  }
  return { held, letGo }
}

/** The arguments of a process that runs a task. @param call its name and its input @param then what the process does after that */
function processWith(call: string, then = ''): string[] {
  const code = `
    import { createTaskPool } from ${JSON.stringify(new URL('./index.ts', import.meta.url))}
    const pool = await createTaskPool({ tasks: new URL(${JSON.stringify(tasks)}), threads: 1 })
    await pool.run(${call})
    ${then}`
  return ['--input-type=module', '-e', code]
}

const hasCode = (code: string) => ({ name: 'TaskPoolError', code })

describe('a pool of tasks', () => {
  test('runs exported functions, synchronous and asynchronous, with types that follow the module', async t => {
    const pool = await start(t)
    const doubled: number = await pool.run('double', 21)
    const text: string = await pool.run('later', { text: 'text' })
    const queried: number = await pool.run('query', 21)
    assert.deepEqual([doubled, text, queried, await pool.run('nothing')], [42, 'TEXT', 42, undefined])
    // @ts-expect-error a number is expected
    await pool.run('double', '21')
    // @ts-expect-error a value is no task
    await assert.rejects(pool.run('notATask'), hasCode('UNKNOWN_TASK'))
    // @ts-expect-error no such task
    await assert.rejects(pool.run('missing'), hasCode('UNKNOWN_TASK'))
  })

  test('lets what a task has left behind go on while others follow without a pause', async t => {
    const pool = await start(t)
    // From the second message of 32 tasks on, the next one is always there in time.
    const turns = await Promise.all(
      Array.from({ length: 200 }, (_, at) => pool.run(at === 80 ? 'leaveBehind' : 'turnsOfLeft')),
    )
    assert.equal(turns.at(-1), 2)
  })

  test('passes on the class, the stack, the code, the cause and other fields of the error of a task', async t => {
    const pool = await start(t)
    for (const name of ['failWithFields', 'failLater'] as const)
      await assert.rejects(pool.run(name), ({ code, cause }: TaskPoolError) => {
        assert.equal(code, 'TASK_FAILED')
        assert.ok(cause instanceof TypeError && cause.cause instanceof RangeError)
        assert.deepEqual({ ...cause }, { code: 'E_ORDER', statusCode: 404 })
        assert.match(cause.stack ?? '', /task-pool\.fixture/)
        return true
      })
  })

  test('fails a task that gets, throws or returns odd values, and keeps its thread', async t => {
    const pool = await start(t)
    assert.equal(await pool.run('countHere'), 0)
    for (const name of ['throwOdd', 'returnOdd'] as const)
      await assert.rejects(pool.run(name), hasCode('TASK_FAILED'))
    const odd = {
      get odd() {
        throw undefined
      },
    }
    await assert.rejects(pool.run('double', odd as never), hasCode('TASK_FAILED'))
    assert.equal(await pool.run('countHere'), 1)
  })

  test('fails a task whose input or output no message can contain, and no other', async t => {
    const pool = await start(t)
    const { letGo } = await occupy(pool)
    // All wait, so that they travel together.
    const runs = Promise.allSettled([
      pool.run('double', 1),
      pool.run('count', (() => {}) as never),
      pool.run('close'),
      pool.run('double', 2),
    ])
    letGo()
    const [first, input, output, last] = await runs
    assert.deepEqual(
      [first, last].map(run => run?.status === 'fulfilled' && run.value),
      [2, 4],
    )
    for (const run of [input, output]) {
      assert.ok(run?.status === 'rejected' && run.reason.code === 'TASK_FAILED')
      assert.match(run.reason.cause.message, /could not be cloned/)
    }
  })

  test('does not begin a task after its deadline', async t => {
    const pool = await start(t)
    const counts = shared()
    const { letGo } = await occupy(pool)
    const deadline = performance.now() + 1
    // The first is on its way to the thread, which refuses it; the others wait in the queue.
    const late = Promise.allSettled([1, 2, 3].map(() => pool.run('count', counts, { deadline })))
    while (performance.now() <= deadline);
    letGo()
    for (const result of await late)
      assert.equal(result.status === 'rejected' && result.reason.code, 'DEADLINE_PASSED')
    assert.equal(await pool.run('count', counts), 0)
  })

  for (const idempotent of [false, true])
    test(`sends what is done before a task begins that may take long, idempotent: ${idempotent}`, async t => {
      const pool = await start(t, { idempotent })
      const { letGo } = await occupy(pool)
      // All wait, so that about half of them travel together.
      const before = Array.from({ length: 10 }, (_, number) => pool.run('double', number))
      const waiting = [pool.run('wait', 60_000), ...before.map(() => pool.run('double', 1))]
      letGo()
      assert.equal((await Promise.all(before)).length, 10)
      await Promise.all([pool.close({ graceMs: 0 }), Promise.allSettled(waiting)])
    })

  test('sends what is done while asynchronous tasks take all places of a thread', async t => {
    const pool = await start(t, { concurrentTasksPerWorker: 2 })
    const { letGo } = await occupy(pool)
    const names = Array.from({ length: 40 }, (_, at) => (at % 4 === 3 ? 'wait' : 'double'))
    const runs = names.map(name => pool.run(name as 'double', name === 'wait' ? 60_000 : 1))
    letGo()
    // With ten that wait a minute, the third begins after that.
    assert.deepEqual(await Promise.all(runs.slice(0, 3)), [2, 2, 2])
    await Promise.all([pool.close({ graceMs: 0 }), Promise.allSettled(runs)])
  })

  for (const name of ['leaveRejection', 'leaveThrow', 'throwLater'] as const)
    test(`fails no task that waits because of what one before it has left behind: ${name}`, async t => {
      const pool = await start(t)
      const { letGo } = await occupy(pool)
      // All wait, so that they travel together.
      const texts = [pool.run(name), pool.run('later', { text: 'text' })]
      const runs = [pool.run('double', 1), ...texts, pool.run('double', 2)]
      letGo()
      assert.deepEqual(await Promise.all(runs), [2, undefined, 'TEXT', 4])
    })

  test('ignores what tasks post to parentPort, also what looks like its own messages: 10,000 of them', async t => {
    const warnings: (string | undefined)[] = []
    const note = ({ code }: Error & { code?: string }) => void warnings.push(code)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const pool = await start(t)
    const runs = [pool.run('postStray', 10_000), ...[1, 2].map(number => pool.run('double', number))]
    assert.deepEqual(await Promise.all(runs), [10_000, 2, 4])
    assert.equal(await pool.run('double', 3), 6)
    await pool.close()
    assert.deepEqual(warnings, ['STRAY_MESSAGE'])
  })

  test('settles a task at its limit although its thread cannot be ended, and tells of it until it ends', async t => {
    const fifo = join(temporaryDirectory(t), 'fifo')
    execFileSync('mkfifo', [fifo])
    const pool = await start(t, { taskTimeoutMs: 100 })
    const told = once(process, 'warning')
    await assert.rejects(pool.run('read', fifo), hasCode('TASK_TIMEOUT'))
    assert.equal(await pool.run('double', 1), 2)
    const [warning] = await told
    assert.equal(warning.code, 'THREAD_STILL_RUNS')
    assert.equal(pool.stuckThreads, 1)
    await pool.close()
    assert.equal(pool.stuckThreads, 1, 'closing waits for its end')
    writeFileSync(fifo, '')
    while (pool.stuckThreads > 0) await turn()
  })

  for (const [what, name, limit] of [
    ['buffers', 'keepBuffers', /its buffers took more than 32 MiB/],
    ['heap', 'keepObjects', /heap|memory/],
  ] as const)
    test(`replaces a thread with more than its limit of ${what}`, async t => {
      const pool = await start(t, { taskTimeoutMs: 5000, workerMemoryMib: 32 })
      await assert.rejects(pool.run(name, 64), ({ code, cause }: TaskPoolError) => {
        assert.equal(code, 'WORKER_DIED')
        assert.match(String(cause), limit)
        return true
      })
      assert.equal(await pool.run('double', 1), 2)
    })

  test('refuses a task that would have to wait too long', async t => {
    const pool = await start(t, { maxWaitMs: 5 })
    const { held, letGo } = await occupy(pool)
    const waiting = [pool.run('double', 1), pool.run('double', 2)]
    const begin = performance.now()
    while (performance.now() < begin + 10);
    await assert.rejects(pool.run('double', 3), hasCode('OVERLOADED'))
    letGo()
    assert.deepEqual((await Promise.all([held, ...waiting])).slice(1), [2, 4])
  })

  test('tells the error that ended a thread, with its stack, to the task that ran', async t => {
    const pool = await start(t)
    await pool.run('throwBesideWait')
    await assert.rejects(pool.run('wait', 60_000), ({ code, cause }: TaskPoolError) => {
      assert.equal(code, 'WORKER_DIED')
      const { cause: error } = cause as Error
      assert.match(
        (error as Error).stack ?? '',
        /RangeError: on purpose, in a timer[\s\S]*at throwOn .*task-pool\.fixture/,
      )
      return true
    })
  })

  // It is told once in a process, and another test may have ended such a thread in this one.
  test('tells the error that ended a thread without a task', async t => {
    const child = spawn(process.execPath, processWith(`'throwSoon'`))
    t.after(() => child.kill())
    let said = ''
    for await (const chunk of child.stderr.setEncoding('utf8')) {
      said += chunk
      if (said.includes('task-pool.fixture')) break
    }
    assert.match(said, /THREAD_DIED[\s\S]*on purpose, in a timer[\s\S]*at throwOn .*task-pool\.fixture/)
  })

  test('lets what has begun end when it is closed, refuses what waits, and then refuses all', async t => {
    const pool = await start(t)
    const { held, letGo } = await occupy(pool)
    const [sent, waiting] = [pool.run('double', 1), pool.run('double', 2)]
    const closed = pool.close()
    await assert.rejects(waiting, hasCode('POOL_CLOSED'))
    await assert.rejects(pool.run('double', 1), hasCode('POOL_CLOSED'))
    letGo()
    assert.deepEqual((await Promise.all([held, sent])).slice(1), [2])
    await closed
  })

  test('closes after its grace although a task never ends, and refuses that', async t => {
    const pool = await start(t)
    const state = shared()
    const running = pool.run('hold', state)
    await Atomics.waitAsync(state, 0, 0).value
    await Promise.all([pool.close({ graceMs: 10 }), assert.rejects(running, hasCode('POOL_CLOSED'))])
  })

  test('closes although a thread that is debugged keeps itself from its end', async t => {
    const words = processWith(`'loopAtEnd'`, 'await pool.close(); process.exit()')
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', ...words], { stdio: 'ignore' })
    t.after(() => child.kill('SIGKILL'))
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  test('delivers the output of a task while it waits for others', async t => {
    const child = spawn(process.execPath, processWith(`'talk', 1`))
    t.after(() => child.kill())
    const [said] = await once(child.stdout.setEncoding('utf8'), 'data')
    assert.equal(said, 'line 1\n')
    assert.equal(child.exitCode, null)
  })

  test('delivers all output of its tasks before it closes, also to a slow reader', async () => {
    // More than a pipe holds.
    const words = processWith(`'talk', 9000`, 'console.error("closes"); await pool.close(); process.exit()')
    const read = 'exec 3<&0; "$0" "$@" | (read -r _ <&3; cat)'
    const child = spawn('sh', ['-c', read, process.execPath, ...words])
    await once(child.stderr, 'data')
    await delay(200)
    child.stdin.end('read\n')
    const said = await text(child.stdout)
    assert.equal(said.trimEnd().split('\n').length, 9000)
    assert.match(said, /line 9000\n$/)
  })

  test('has no limit, and no timer that spins, where the limit is Infinity or a month away', async t => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const pool = await start(t, { taskTimeoutMs: Number.POSITIVE_INFINITY, maxWaitMs: 2 ** 31 - 1 })
    const { letGo } = await occupy(pool)
    const deadline = performance.now() + 30 * 24 * 3_600_000
    const waiting = [1, 2, 3].map(number => pool.run('double', number, { deadline }))
    letGo()
    assert.deepEqual(await Promise.all(waiting), [2, 4, 6])
    await turn()
    assert.deepEqual(warnings, [])
  })

  test('does not start with a module that cannot be loaded, or bundled with its service, and names the cause', async t => {
    const missing = new URL('./missing.ts', import.meta.url)
    await assert.rejects(createTaskPool({ tasks: missing, threads: 1 }), /missing\.ts/)
    const directory = temporaryDirectory(t)
    const outfile = join(directory, 'service.mjs')
    const entryPoints = [join(import.meta.dirname, 'index.ts')]
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
    const bundled: typeof import('./index.ts') = await import(pathToFileURL(outfile).href)
    await assert.rejects(
      bundled.createTaskPool({ tasks, threads: 1 }),
      /thread\.ts is missing; a bundle of the service/,
    )
  })

  test('is closed at the end of the block that uses it', async () => {
    let run: () => Promise<number>
    {
      await using pool = await createTaskPool<Tasks>({ tasks, threads: 1 })
      run = () => pool.run('double', 1)
      assert.equal(await run(), 2)
    }
    await assert.rejects(run(), hasCode('POOL_CLOSED'))
  })
})
