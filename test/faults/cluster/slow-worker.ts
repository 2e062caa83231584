import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createCompute } from '../../../app/concerns/compute/nats.ts'
import { RequestContext } from '../../../app/context.ts'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import { monotonicMs, percent } from '../../../lib/units.ts'
import { Latencies } from '../../../loadtest/generator/latencies.ts'
import { prepareNatsServer } from '../../../stack/nats-server.ts'
import { connectNats } from '../../../workers/remote/connect.ts'
import { until } from '../fault.ts'
import { startClosedLoop } from '../loops.ts'
import { Network } from './network.ts'
import { WorkerMachine } from './worker-machine.ts'

const CLIENTS = 48
const TASK_MS = 4
const WARMUP_MS = 500
/** How much slower than the fastest each machine is: one at a quarter of its speed, and three equal ones that are as fast together. */
const UNEQUAL = [1, 1, 4]
const EQUAL = [4 / 3, 4 / 3, 4 / 3]
const MOST = 1.5
/** The slow one of the unequal can do a ninth of the work. By chance it would get a third. */
const SLOW_SHARE = 1 / 5
/** In a shorter run the waits are shown but not judged: they depend on what else the machine does. The shares do not. */
const JUDGED_FROM_SECONDS = 10
const DEADLINE_MS = 60_000

const tasksFile = join(import.meta.dirname, 'waiting-tasks.ts')
const logger = loggerOf(() => () => {})

/** How tasks get to the workers. */
interface Way {
  readonly file: string
  readonly flags: readonly string[]
  /** Connects a client. It resolves once all workers are there. */
  connect(
    url: string,
    workers: number,
  ): Promise<{
    /** Runs a task. It says how slow its worker is, if that is known. */ run(): Promise<unknown>
    close(): Promise<unknown>
  }>
}

const pulled: Way = {
  file: 'workers/remote.ts',
  flags: ['--threads', '1', '--port', '0', '--tasks', tasksFile],
  async connect(nats, workers) {
    const pool = { threads: 1, workerPriority: 0, taskTimeoutMs: DEADLINE_MS, workerMemoryMib: 64 }
    const compute = await createCompute({ ...pool, nats, tasksFile, logger })
    await until(async () => (await compute.operated?.readPool?.())?.size === workers)
    const task = { name: 'wait', input: { ms: TASK_MS } }
    return {
      async run() {
        const [result] = await compute.run(new RequestContext('', monotonicMs() + DEADLINE_MS), task)
        return result?.output
      },
      close: () => compute.close(),
    }
  },
}

const queueGroup: Way = {
  file: 'test/faults/cluster/queue-worker.ts',
  flags: [],
  async connect(url, workers) {
    const connection = await connectNats(url, 'a client of a queue group')
    const run = () => connection.request('waiting', JSON.stringify({ ms: TASK_MS }), { timeout: DEADLINE_MS })
    const present = new Set<string>()
    connection.subscribe('present', { callback: (_error, message) => void present.add(message.string()) })
    await until(() => present.size === workers)
    return { run, close: () => connection.close() }
  },
}

/** Compares one slow worker of three with three equal ones; and, in a longer run, the same with queue groups of NATS. */
export async function slowOne(directory: string, seconds: number): Promise<string> {
  const network = new Network()
  const { member, url } = await prepareNatsServer(directory, network.address)
  const server = await startProcess({ ...member, echo: false })
  try {
    const windowMs = (seconds * 1000) / 4
    const measure = async (way: Way, slownesses: readonly number[]) => {
      const flags = (slowness: number) => ({
        file: way.file,
        flags: way.flags,
        env: { DMT_TEST_SLOWNESS: String(slowness) },
      })
      const workers = await Promise.all(
        slownesses.map(slowness => WorkerMachine.add(network, url, flags(slowness))),
      )
      const client = await way.connect(url, workers.length)
      const measured = await readWindow(client.run, windowMs)
      await client.close()
      await Promise.all(workers.map(worker => worker.close()))
      return measured
    }
    const [equal, unequal] = [await measure(pulled, EQUAL), await measure(pulled, UNEQUAL)]
    const says = `it ran ${percent(unequal.slowShare)} of the tasks; ${compare(unequal, equal)}`
    assert.ok(unequal.slowShare > 0 && unequal.slowShare < SLOW_SHARE, says)
    if (seconds < JUDGED_FROM_SECONDS) return says
    assert.ok(unequal.p99 < MOST * equal.p99, says)
    const [equalGroup, unequalGroup] = [await measure(queueGroup, EQUAL), await measure(queueGroup, UNEQUAL)]
    return `${says}; a queue group of NATS: ${compare(unequalGroup, equalGroup)}`
  } finally {
    await server.stop()
    network.close()
  }
}

const compare = (unequal: { p99: number }, equal: { p99: number }) =>
  `p99 ${unequal.p99.toFixed(0)} ms, and ${equal.p99.toFixed(0)} ms with three equal ones (× ${(unequal.p99 / equal.p99).toFixed(2)})`

async function readWindow(run: () => Promise<unknown>, windowMs: number) {
  let latencies = new Latencies()
  let slow = 0
  let all = 0
  const stop = startClosedLoop(async () => {
    const askedAtMs = performance.now()
    const slowness = await run()
    latencies.record(performance.now() - askedAtMs)
    all++
    if (slowness === Math.max(...UNEQUAL)) slow++
  }, CLIENTS)
  await delay(WARMUP_MS)
  latencies = new Latencies()
  slow = all = 0
  await delay(windowMs)
  const measured = { p99: latencies.summary().p99, slowShare: slow / all }
  await stop()
  return measured
}
