import type { Column } from '../../lib/cli/columns.ts'
import type { CellReport } from '../commands/break-even/protocol.ts'
import { median } from '../statistics/median.ts'
import type { Samples } from './bench-results.ts'
import { alone, distancesMs, farSizes, type Size, saturated, sizeNames } from './nats-cases.ts'

/** A job that travels over NATS and back. */
export interface NatsCost
  extends Pick<CellReport, 'mainThreadMicros' | 'totalMicros' | 'tasksPerSecond' | 'latencyMs'> {
  /** CPU microseconds of the server for a job. */
  readonly serverMicros: number
}

type Middle = (name: string, value: (cost: NatsCost) => number) => number

const middleOf =
  (samples: Samples<string, NatsCost>): Middle =>
  (name, value) =>
    median((samples[name] ?? []).map(value)) ?? Number.NaN

/** A row for each size: the CPU time of a job at saturation, and the rates that it allows. */
export function saturationTable(samples: Samples<string, NatsCost>): {
  rows: readonly Size[]
  columns: readonly Column<Size>[]
} {
  const middle = middleOf(samples)
  const column = (
    title: string,
    value: (cost: NatsCost) => number,
    format: (value: number) => string,
  ): Column<Size> => ({ title, cell: size => format(middle(saturated(size), value)) })
  const micros = (value: number) => value.toFixed(1)
  return {
    rows: sizeNames,
    columns: [
      { title: 'job and reply', cell: size => size },
      column('main thread µs', ({ mainThreadMicros }) => mainThreadMicros, micros),
      column('an app hands out a second', ({ mainThreadMicros }) => 1e6 / mainThreadMicros, rounded),
      column('nats-server µs', ({ serverMicros }) => serverMicros, micros),
      column('a core of NATS takes a second', ({ serverMicros }) => 1e6 / serverMicros, rounded),
      column('all µs', ({ totalMicros }) => totalMicros, micros),
      column('jobs a second here', ({ tasksPerSecond }) => tasksPerSecond, rounded),
    ],
  }
}

/** A row for each distance: how long a job takes that has the way for itself. */
export function distanceTable(samples: Samples<string, NatsCost>): {
  rows: readonly (typeof distancesMs)[number][]
  columns: readonly Column<(typeof distancesMs)[number]>[]
} {
  const middle = middleOf(samples)
  return {
    rows: distancesMs,
    columns: [
      { title: 'further away by', cell: distanceMs => `${distanceMs} ms` },
      ...farSizes.flatMap(size =>
        (['p50', 'p99'] as const).map(
          (rank): Column<(typeof distancesMs)[number]> => ({
            title: `${size}: ${rank} ms`,
            cell: distanceMs => middle(alone(size, distanceMs), cost => cost.latencyMs[rank]).toFixed(2),
          }),
        ),
      ),
    ],
  }
}

/** A rate, with two digits: no more are certain. */
const rounded = (value: number) => Number(value.toPrecision(2)).toLocaleString('en')
