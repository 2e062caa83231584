import { setImmediate as turn } from 'node:timers/promises'
import type { Compute, TaskResult } from '../../../app/concerns/compute/contract.ts'
import { RequestContext } from '../../../app/context.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { Task } from '../../../workers/tasks.ts'
import { ExactLatencies } from '../../generator/latencies.ts'
import { watchMachine } from '../../sample/machine.ts'
import { isRemote } from './cells.ts'
import { meterMainThread } from './main-thread.ts'
import { startNeighbours } from './neighbours.ts'
import type { CellOrder, CellReport } from './protocol.ts'
import { startPool } from './start-pool.ts'
import type { BurnInput } from './tasks.ts'

const WARMUP_MS = 100
/** Within this time, a worker elsewhere finds how many jobs it should hold, and tells the app. */
const REMOTE_WARMUP_MS = 500
/** A window is long enough for this many tasks of each client, however long a task takes. */
const LEAST_TASKS = 3
const DEADLINE_MS = 60_000

/**
 * Measures the cost of tasks in one window, and the delay of neighbours in the next: in the same window, the pings
 * would be part of the cost.
 */
export async function measureCell(order: CellOrder, abort: AbortSignal): Promise<CellReport> {
  const { cell, threads, iterationsPerMicro } = order
  const compute = await startPool(cell.compute, threads, order.roundTripMs, order.task && 'tasks-of-app.ts')
  const neighbours = startNeighbours()
  const input: BurnInput = {
    iterations: Math.round(cell.lengthMicros * iterationsPerMicro),
    payload: 'x'.repeat(cell.payloadBytes),
  }
  const run = (durationMs: number) =>
    runClients(
      { compute, task: { name: order.task ?? 'burn', input }, clients: cell.concurrency, abort },
      durationMs,
    )
  const windowMs = Math.max(order.durationMs, (LEAST_TASKS * cell.concurrency * cell.lengthMicros) / 1000)
  try {
    await run(isRemote(cell.compute) ? REMOTE_WARMUP_MS : WARMUP_MS)
    const readMachine = watchMachine([process.pid])
    const { result, cpuMicros } = await meterMainThread(() => run(windowMs))
    const [neighbourDelayMs] = await Promise.all([neighbours.measureDelay(windowMs), run(windowMs)])
    return { ...result, mainThreadMicros: cpuMicros / result.tasks, neighbourDelayMs, machine: readMachine() }
  } finally {
    await Promise.all([neighbours.stop(), compute.close()])
  }
}

interface Clients {
  readonly compute: Compute
  readonly task: { readonly name: string; readonly input: BurnInput }
  readonly clients: number
  readonly abort: AbortSignal
}

/**
 * Runs clients that each ask again once they are answered, until the time is up. No task is under way before or
 * after, so that all CPU time in between belongs to these tasks. Each task comes in a turn of the event loop, as
 * requests do.
 * @throws Error when a task answers wrongly
 */
async function runClients({ compute, task, clients, abort }: Clients, durationMs: number) {
  const latencies = new ExactLatencies()
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
