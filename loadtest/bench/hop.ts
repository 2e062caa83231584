import { type Column, renderColumns } from '../../lib/columns.ts'
import { formatRatio } from '../outcome/format.ts'
import { median } from '../statistics/median.ts'
import { runBench } from './bench.ts'
import { ratioOf, type Samples } from './bench-results.ts'
import { type HopCase, type HopCost, loads, measureHop, OVERHEAD_MS, RATE, WINDOW } from './hop-sample.ts'
import { type Way, ways } from './hop-ways.ts'

/** The way of the app: its queue posts batches to bare worker threads. */
const OURS: Way = 'a port, batches'
const sizes = { '100 B': 100, '1 KiB': 1024, '16 KiB': 16_384, '100 KiB': 102_400 } as const
const sizeNames = Object.keys(sizes) as (keyof typeof sizes)[]
const wayNames = Object.keys(ways) as Way[]

const nameOf = (load: HopCase['load'], size: keyof typeof sizes, way: Way) => `${load}, ${size}, ${way}`

const cases = new Map(
  loads.flatMap(load =>
    sizeNames.flatMap(size =>
      wayNames.map((way): [string, HopCase] => [
        nameOf(load, size, way),
        { load, sizeBytes: sizes[size], way },
      ]),
    ),
  ),
)

await runBench<string, HopCost>({
  name: 'hop',
  description: `What it costs the main thread to hand a job to a thread and to take its reply, by the size of the reply. Every sample is
taken in fresh threads, and every round has a new order of the cases.`,
  cases: [...cases.keys()],
  defaultDuration: '400ms',
  overheadMs: OVERHEAD_MS,
  measure: (name, durationMs) => measureHop(cases.get(name) as HopCase, durationMs),
  render: samples =>
    [
      `Saturated: ${WINDOW} jobs under way\n`,
      renderLoad('saturated', samples),
      `\nSteady: ${RATE} jobs a second, each begun by a timer, which wakes the thread once more\n`,
      renderLoad('steady', samples),
    ].join('\n'),
})

/** Renders a row for each way: CPU microseconds a job by size, against ours, and wake-ups a job. */
function renderLoad(load: HopCase['load'], samples: Samples<string, HopCost>): string {
  const of = (way: Way, size: keyof typeof sizes, amount: keyof HopCost) =>
    (samples[nameOf(load, size, way)] as readonly HopCost[]).map(cost => cost[amount])
  return renderColumns(wayNames, [
    { title: 'way', cell: way => way },
    ...sizeNames.flatMap((size): Column<Way>[] => [
      { title: `${size}: µs`, cell: way => format(of(way, size, 'cpuMicros'), 1) },
      {
        title: '× ours',
        cell: way =>
          way === OURS
            ? '-'
            : formatRatio(ratioOf(of(way, size, 'cpuMicros'), of(OURS, size, 'cpuMicros')), 2),
      },
    ]),
    {
      title: 'wake-ups',
      cell: way =>
        format(
          sizeNames.flatMap(size => of(way, size, 'wakeups')),
          2,
        ),
    },
  ])
}

function format(values: readonly number[], digits: number): string {
  return (median(values) ?? Number.NaN).toFixed(digits)
}
