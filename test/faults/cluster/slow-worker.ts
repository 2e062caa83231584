import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createCompute } from '../../../app/concerns/compute/nats.ts'
import { RequestContext } from '../../../app/context.ts'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import { monotonicMs, percent } from '../../../lib/units.ts'
import { Latencies } from '../../../loadtest/generator/latencies.ts'
import { startClients } from '../../../loadtest/generator/load.ts'
import { prepareNatsServer } from '../../../stack/nats.ts'
import { until } from '../fault.ts'
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
const flags = ['--threads', '1', '--port', '0', '--tasks', tasksFile]
const pool = { threads: 1, workerPriority: 0, taskTimeoutMs: DEADLINE_MS, workerMemoryMib: 64 }
const task = { name: 'wait', input: { ms: TASK_MS } }

/** Compares one slow worker of three with three equal ones. */
export async function slowOne(directory: string, seconds: number): Promise<string> {
  const { member, url } = await prepareNatsServer(directory)
  const server = await startProcess({ ...member, echo: false })
  const windowMs = (seconds * 1000) / 2
  const measure = async (slownesses: readonly number[]) => {
    const workers = await Promise.all(
      slownesses.map(slowness =>
        WorkerMachine.add(url, { flags, env: { DMT_TEST_SLOWNESS: String(slowness) } }),
      ),
    )
    const logger = loggerOf(() => () => {})
    const compute = await createCompute({ ...pool, nats: url, tasksFile, logger })
    await until(async () => (await compute.operated?.readPool?.())?.size === workers.length)
    const measured = await readWindow(async () => {
      const [result] = await compute.run(new RequestContext('', monotonicMs() + DEADLINE_MS), task)
      return result?.output
    }, windowMs)
    await compute.close()
    await Promise.all(workers.map(worker => worker.close()))
    return measured
  }
  try {
    const [equal, unequal] = [await measure(EQUAL), await measure(UNEQUAL)]
    const says = `it ran ${percent(unequal.slowShare)} of the tasks; p99 ${unequal.p99.toFixed(0)} ms, and ${equal.p99.toFixed(0)} ms with three equal ones (× ${(unequal.p99 / equal.p99).toFixed(2)})`
    assert.ok(unequal.slowShare > 0 && unequal.slowShare < SLOW_SHARE, says)
    if (seconds >= JUDGED_FROM_SECONDS) assert.ok(unequal.p99 < MOST * equal.p99, says)
    return says
  } finally {
    await server.stop()
  }
}

/** @param run runs a task, which says how slow its worker is */
async function readWindow(run: () => Promise<unknown>, windowMs: number) {
  let latencies = new Latencies()
  let slow = 0
  let all = 0
  const stop = startClients(CLIENTS, async () => {
    const askedAtMs = performance.now()
    const slowness = await run()
    latencies.record(performance.now() - askedAtMs)
    all++
    if (slowness === Math.max(...UNEQUAL)) slow++
    return 0
  })
  await delay(WARMUP_MS)
  latencies = new Latencies()
  slow = all = 0
  await delay(windowMs)
  const measured = { p99: latencies.summary().p99, slowShare: slow / all }
  await stop()
  return measured
}
