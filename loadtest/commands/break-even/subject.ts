import { join } from 'node:path'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { Compute, TaskResult } from '../../../app/concerns/compute/contract.ts'
import { implementations } from '../../../app/concerns.ts'
import { appOptions } from '../../../app/config.ts'
import { RequestContext } from '../../../app/context.ts'
import { parseOptions } from '../../../lib/cli/command-line.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { Task } from '../../../workers/tasks.ts'
import { Latencies } from '../../generator/latencies.ts'
import { watchMachine } from '../../sample/machine.ts'
import type { Cell, Order, Reply, Report } from './protocol.ts'
import type { BurnInput } from './tasks.ts'

/** The measured process: it receives one order, replies with one report, and ends. */
const controller = new AbortController()
const abort = controller.signal

process.once('message', async (order: Order) => {
  let reply: Reply
  try {
    reply = { kind: 'measured', report: await measure(order) }
  } catch (error) {
    reply = { kind: 'failed', message: (error as Error).stack ?? String(error) }
  }
  if (process.connected) process.send?.(reply, () => process.exit())
  else process.exit()
})
// The measurement ends first, so that its threads and processes are closed in order.
process.on('disconnect', () => controller.abort())
// Ctrl-C reaches every process of a terminal; the load test itself ends the processes that it started.
process.on('SIGINT', () => {})

const WARMUP_MS = 100
/** However long a task takes, for each client in a window. */
const LEAST_TASKS = 3
const DEADLINE_MS = 60_000

async function measure({ cell, threads, iterationsPerMicro, ...order }: Order): Promise<Report> {
  const compute = await startPool(cell.compute, threads)
  const input: BurnInput = {
    iterations: Math.round(cell.lengthMicros * iterationsPerMicro),
    payload: 'x'.repeat(cell.payloadBytes),
  }
  const run = (durationMs: number) =>
    runClients({ compute, task: { name: 'burn', input }, clients: cell.concurrency }, durationMs)
  const windowMs = Math.max(order.durationMs, (LEAST_TASKS * cell.concurrency * cell.lengthMicros) / 1000)
  try {
    await run(WARMUP_MS)
    const readMachine = watchMachine([process.pid])
    const { result, cpuMicros } = await meterMainThread(() => run(windowMs))
    return { ...result, mainThreadMicros: cpuMicros / result.tasks, machine: readMachine() }
  } finally {
    await compute.close()
  }
}

interface Clients {
  readonly compute: Compute
  readonly task: { readonly name: string; readonly input: BurnInput }
  readonly clients: number
}

/**
 * Runs clients that each ask again once they are answered, until the time is up. No task is under way before or after, so all
 * CPU time in between belongs to these tasks. Each comes in a turn of the event loop, as requests do.
 * @throws Error when a task answers wrongly
 */
async function runClients({ compute, task, clients }: Clients, durationMs: number) {
  const latencies = new Latencies()
  const endsAtMs = monotonicMs() + durationMs
  let tasks = 0
  const ask = async () => {
    do {
      const wantedAtMs = monotonicMs()
      await turn()
      const context = new RequestContext('break-even', monotonicMs() + DEADLINE_MS)
      const [{ output }] = (await compute.run(context, task as unknown as Task)) as unknown as [
        TaskResult<string>,
      ]
      // Comparing a megabyte would be a cost of its own.
      if (output.length !== task.input.payload.length)
        throw new Error('a task answered something else than its payload')
      latencies.record(monotonicMs() - wantedAtMs)
      tasks++
    } while (monotonicMs() < endsAtMs && !abort.aborted)
  }
  await Promise.all(Array.from({ length: clients }, ask))
  return { tasks, latencyMs: latencies.summary() }
}

/** Long enough for the thread to fall asleep: a kernel may update the CPU time of a running thread only every 4 ms. */
const SLEEP_MS = 2

/** The CPU microseconds of the main thread while `work` goes on, including two sleeps of about 300 together. */
async function meterMainThread<T>(work: () => Promise<T>): Promise<{ result: T; cpuMicros: number }> {
  await delay(SLEEP_MS)
  const before = process.threadCpuUsage()
  const result = await work()
  await delay(SLEEP_MS)
  const { user, system } = process.threadCpuUsage(before)
  return { result, cpuMicros: user + system }
}

const silent = () => {}
const logger = loggerOf(() => silent)

/** Starts compute as the app does. */
async function startPool(name: Cell['compute'], threads: number): Promise<Compute> {
  const defaults = parseOptions(appOptions, [], {}).values
  const options = { ...defaults, threads, tasksFile: join(import.meta.dirname, 'tasks.ts'), logger }
  return (await implementations.compute[name]()).createCompute(options)
}
