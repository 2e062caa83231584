import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { connect } from '@nats-io/transport-node'
import type { Compute } from '../app/concerns/compute/contract.ts'
import type { PoolOptions } from '../app/concerns/compute/library-pool.ts'
import { createCompute, type RemoteReading } from '../app/concerns/compute/nats.ts'
import { testPool } from '../app/concerns/compute/pool-suite.fixture.ts'
import { LONG, testCompute } from '../app/concerns/compute/suite.fixture.ts'
import { describeCause, type Problem } from '../app/problems.ts'
import { hasCode, newContext } from '../app/test-options.fixture.ts'
import { type RunningProcess, startProcess } from '../lib/processes/start-process.ts'
import { type LogFields, loggerOf } from '../lib/telemetry/logger.ts'
import { natsServerPath, prepareNatsServer } from '../stack/nats.ts'
import { connectNats } from '../workers/remote/connect.ts'
import { RemoteWorker } from '../workers/remote/worker.ts'
import { subsetSum } from '../workers/subset-sum.ts'
import { until } from './faults/fault.ts'

/** The reason why tests with a server of NATS are skipped; false if it is installed. */
const withoutNats = natsServerPath === undefined && 'nats-server is not installed'

/** Starts a server that can be killed and started again at the same place. */
async function startServer() {
  const directory = mkdtempSync(join(tmpdir(), 'nats-'))
  const { member, url } = await prepareNatsServer(directory)
  const start = () => startProcess({ ...member, echo: false })
  let running: RunningProcess = await start()
  return {
    url,
    async restart() {
      running.signal('SIGKILL')
      await running.ended
      running = await start()
    },
    async stop() {
      await running.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

let workers = 0

/** Starts a worker in this process. `vanish` breaks its connection, as if its machine had lost its power. */
async function startWorker(url: string, options: PoolOptions) {
  const name = `worker ${++workers}`
  const connection = await connectNats(url, name)
  const worker = await RemoteWorker.start(connection, {
    ...options,
    name,
    note() {},
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= worker.close()
    return closing
  }
  return { name, close, vanish: () => connection.close() }
}

/** Starts the app's side. Resolves once it knows a place of a worker. */
async function startApp(url: string, options: PoolOptions): Promise<Compute> {
  const compute = await createCompute({ ...options, nats: url })
  await until(async () => ((await compute.operated?.readPool?.())?.size ?? 0) >= 1)
  return compute
}

const elsewhereOf = async (compute: Compute) =>
  ((await compute.operated?.readPool?.()) as RemoteReading | undefined)?.elsewhere

let server: Awaited<ReturnType<typeof startServer>>
before(async () => {
  if (!withoutNats) server = await startServer()
})
after(() => server?.stop())

/** A worker and the app's side, as one implementation. */
async function create(options: PoolOptions) {
  const worker = await startWorker(server.url, options)
  const compute = await startApp(server.url, options)
  return { ...compute, close: async () => void (await Promise.all([compute.close(), worker.close()])) }
}

testCompute('nats', create as never, withoutNats)
testPool('nats', create as never, {}, withoutNats)

function optionsFor(logged: string[] = [], file = 'tasks.fixture.ts'): PoolOptions {
  const log = (message: string, _fields?: LogFields) => logged.push(message)
  return {
    threads: 1,
    workerPriority: 0,
    taskTimeoutMs: 60_000,
    workerMemoryMib: 64,
    tasksFile: join(import.meta.dirname, '../workers', file),
    logger: loggerOf(() => log),
  }
}

/** Starts the app's side, and a worker. */
async function start(t: TestContext, logged: string[] = []) {
  const options = optionsFor(logged)
  const worker = await startWorker(server.url, options)
  const compute = await startApp(server.url, options)
  t.after(() => Promise.all([compute.close(), worker.close()]))
  const run = (name: string, input: unknown, context = newContext()) => compute.run(context, { name, input })
  return { compute, worker, run, options }
}

const small = { size: 8, seed: 3 }

describe('compute/nats', { skip: withoutNats }, () => {
  test('gives the job of a worker that has vanished to another, within a second', async t => {
    const { worker, run, options } = await start(t)
    const running = run('subsetSum', LONG)
    await worker.vanish()
    const other = await startWorker(server.url, options)
    t.after(() => other.close())
    const [result] = await running
    assert.deepEqual(result?.output, subsetSum.run(LONG))
  })

  test('gives up a job that three workers were lost with, and no worker begins it again', async t => {
    const { worker, run, compute, options } = await start(t)
    const failing = run('loop', {})
    const holds = async (name: string) =>
      (await elsewhereOf(compute))?.some(each => each.worker === name && each.held === 1) ?? false
    for (let lost: typeof worker | undefined = worker, count = 1; lost; count++) {
      await until(() => holds(lost?.name as string))
      await lost.vanish()
      await lost.close()
      lost = count < 3 ? await startWorker(server.url, options) : undefined
    }
    const last = await startWorker(server.url, options)
    t.after(() => last.close())
    await assert.rejects(failing, (problem: Problem) => {
      assert.equal(problem.code, 'TASK_FAILED')
      assert.match(String(describeCause(problem)), /3 workers were lost/)
      return true
    })
  })

  test('finishes its jobs when NATS is killed and comes back without them', async t => {
    const { run } = await start(t)
    const running = [1, 2, 3, 4, 5].map(seed => run('subsetSum', { size: 15, seed }))
    await server.restart()
    for (const [index, results] of (await Promise.all(running)).entries())
      assert.deepEqual(results[0]?.output, subsetSum.run({ size: 15, seed: index + 1 }))
  })

  test('does not begin a job at a worker if its client leaves meanwhile', async t => {
    const { run } = await start(t)
    const running = run('subsetSum', LONG)
    const leaving = newContext()
    const left = run('die', {}, leaving)
    setTimeout(() => leaving.abort(), 20)
    await assert.rejects(left, hasCode('CLIENT_GONE'))
    await running
    await run('subsetSum', small)
  })

  test('refuses workers with other tasks, and says so in one line', async t => {
    const logged: string[] = []
    await start(t, logged)
    const other = await startWorker(server.url, optionsFor([], 'tasks.ts'))
    t.after(() => other.close())
    await until(() => logged.length > 0)
    assert.match(logged.join(), /^refused: worker .* has tasks-\w{8}, and this app has tasks-fixture-\w{8}/)
  })

  test('fails a job that NATS does not take, and says how large it is', async t => {
    const { run } = await start(t)
    await assert.rejects(run('note', 'x'.repeat(2_000_000)), (problem: Problem) => {
      assert.equal(problem.code, 'TASK_FAILED')
      assert.match(String(describeCause(problem)), /a job of 2000\d+ bytes is more than the 1048576/)
      return true
    })
  })

  test('counts the CPU time of its workers', async t => {
    const { run, compute } = await start(t)
    const before = await compute.operated?.childUsage?.()
    await run('subsetSum', LONG)
    const after = await compute.operated?.childUsage?.()
    assert.ok(after && before && after.cpuMicros > before.cpuMicros)
  })

  test('stops while NATS is away', async () => {
    const away = await startServer()
    const worker = await startWorker(away.url, optionsFor())
    const compute = await startApp(away.url, optionsFor())
    await away.stop()
    await Promise.all([compute.close(), worker.close()])
  })

  test('lets nobody in who has no credentials', async () => {
    const { protocol, host } = new URL(server.url)
    await assert.rejects(
      connectNats(`${protocol}//${host}`, 'a stranger'),
      /cannot use NATS at .*Authorization/i,
    )
  })

  test('takes the first of two replies', async t => {
    const { run } = await start(t)
    const { host, username } = new URL(server.url)
    const spy = await connect({ servers: host, token: username })
    t.after(() => spy.close())
    const replayed = new Promise<void>(resolve =>
      spy.subscribe('_INBOX.*.replies', {
        max: 1,
        callback: (_error, { subject, data }) => {
          spy.publish(subject, data)
          resolve()
        },
      }),
    )
    await spy.flush()
    for (const replies of [replayed, undefined]) {
      const [result] = await run('subsetSum', small)
      assert.deepEqual(result?.output, subsetSum.run(small))
      await replies
    }
  })
})
