import { renderColumns } from '../../lib/cli/columns.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { natsServerPath } from '../../stack/nats-server.ts'
import type { CellOrder, CellReport } from '../commands/break-even/protocol.ts'
import { takeSample } from '../commands/break-even/sample.ts'
import { runBench } from './bench.ts'
import { cases, WINDOW } from './nats-cases.ts'
import { distanceTable, type NatsCost, saturationTable } from './nats-tables.ts'

/** Time that a sample takes besides its measured time: its processes start, and the worker finds how much it takes. */
const OVERHEAD_MS = 2000

await runBench<string, NatsCost>({
  name: 'nats',
  description: `What it costs to hand a job without work to a worker over NATS, and to take its reply: CPU time of the app's main thread
and of nats-server by size, and latency by distance. Every sample has a new server, worker and app.`,
  cases: [...cases.keys()],
  defaultDuration: '400ms',
  overheadMs: OVERHEAD_MS,
  measure,
  render(samples) {
    const [saturation, distance] = [saturationTable(samples), distanceTable(samples)]
    return `Saturated: ${WINDOW} jobs under way, on this machine
${renderColumns(saturation.rows, saturation.columns)}

One job at a time
${renderColumns(distance.rows, distance.columns)}`
  },
})

/** @throws UserError when this machine has no nats-server */
async function measure(name: string, durationMs: number): Promise<NatsCost> {
  if (natsServerPath === undefined) throw new UserError('bench nats needs a nats-server on the path')
  const { roundTripMs, ...cell } = cases.get(name) as NonNullable<ReturnType<typeof cases.get>>
  const order: CellOrder = {
    kind: 'cell',
    cell: { ...cell, compute: 'nats', lengthMicros: 0 },
    ...{ threads: 1, iterationsPerMicro: 1, roundTripMs, durationMs },
  }
  const { signal } = new AbortController()
  const report = (await takeSample(order, 1, signal, true)) as unknown as CellReport
  const { mainThreadMicros, totalMicros, serverMicros = Number.NaN, tasksPerSecond, latencyMs } = report
  return { mainThreadMicros, totalMicros, serverMicros, tasksPerSecond, latencyMs }
}
