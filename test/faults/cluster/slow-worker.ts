import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createCompute } from '../../../app/concerns/compute/nats.ts'
import { RequestContext } from '../../../app/context.ts'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { ExactLatencies } from '../../../loadtest/generator/latencies.ts'
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
const DEADLINE_MS = 60_000

const tasksFile = join(import.meta.dirname, 'waiting-tasks.ts')
const logger = loggerOf(() => () => {})

/** How tasks get to the workers. */
interface Way {
  readonly file: string
  readonly flags: readonly string[]
  /** Connects a client. It resolves once all workers are there. */
  connect(url: string, workers: number): Promise<{ run(): Promise<unknown>; close(): Promise<unknown> }>
}

const pulled: Way = {
  file: 'workers/remote.ts',
  flags: ['--threads', '1', '--port', '0', '--tasks', tasksFile],
  async connect(nats, workers) {
    const pool = { threads: 1, workerPriority: 0, taskTimeoutMs: DEADLINE_MS, workerMemoryMib: 64 }
    const compute = await createCompute({ ...pool, nats, tasksFile, logger })
    await until(async () => (await compute.readPool?.())?.size === workers)
    const task = { name: 'wait', input: { ms: TASK_MS } }
    return {
      run: () => compute.run(new RequestContext('', monotonicMs() + DEADLINE_MS), task),
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

/** Compares one slow worker of three with three equal ones; and the same with queue groups of NATS. */
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
      const p99 = await readP99(client.run, windowMs)
      await client.close()
      await Promise.all(workers.map(worker => worker.close()))
      return p99
    }
    const [equal, unequal] = [await measure(pulled, EQUAL), await measure(pulled, UNEQUAL)]
    const [equalGroup, unequalGroup] = [await measure(queueGroup, EQUAL), await measure(queueGroup, UNEQUAL)]
    const says = `p99 ${unequal.toFixed(0)} ms, and ${equal.toFixed(0)} ms with three equal ones (× ${(unequal / equal).toFixed(2)}); a queue group of NATS: ${unequalGroup.toFixed(0)} and ${equalGroup.toFixed(0)} ms (× ${(unequalGroup / equalGroup).toFixed(2)})`
    assert.ok(unequal < MOST * equal, says)
    return says
  } finally {
    await server.stop()
    network.close()
  }
}

async function readP99(run: () => Promise<unknown>, windowMs: number): Promise<number> {
  let latencies = new ExactLatencies()
  const stop = startClosedLoop(async () => {
    const askedAtMs = performance.now()
    await run()
    latencies.record(performance.now() - askedAtMs)
  }, CLIENTS)
  await delay(WARMUP_MS)
  latencies = new ExactLatencies()
  await delay(windowMs)
  const { p99 } = latencies.summary()
  await stop()
  return p99
}
