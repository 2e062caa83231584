import { type Columns, firstByte, latency, p99, valid, versus } from '../../declaration/columns.ts'
import { fixed, formatRatio, middle } from '../../outcome/format.ts'
import type { Results } from '../../outcome/results.ts'
import { type ComparedConcern, comparedConcerns, comparisonOf } from './comparisons.ts'
import { overFloor } from './over-floor.ts'
import { placeOf } from './verdicts.ts'

/** The concern in which the rows of a run differ. */
export function concernOf(steps: Results['steps']): ComparedConcern {
  const differ = (concern: ComparedConcern) =>
    new Set(steps.map(({ composition }) => composition[concern])).size > 1
  return comparedConcerns.find(differ) ?? 'compute'
}

/** What each implementation costs. */
export function peerColumns({ steps }: Pick<Results, 'steps'>): Columns {
  const concern = concernOf(steps)
  const { floor } = comparisonOf(concern)
  const alone = overFloor({ steps }, floor)
  return [
    { title: 'ours is', cell: row => (row.name === floor ? 'the floor' : placeOf(row)) },
    { title: 'implementation', cell: ({ name }) => name },
    { title: 'main thread µs', cell: row => middle(row.mainThreadMicros, 0, false) },
    ...versus('versusFirst', 'mainThreadMicros', '× ours').slice(0, 1),
    { title: 'µs over the floor', cell: ({ name }) => fixed(alone.get(name)?.micros, 1) },
    {
      title: 'over the floor × ours',
      cell: ({ name }) => formatRatio(alone.get(name)?.versusOurs ?? undefined, 2),
    },
    { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
    ...versus('versusFirst', 'totalMicros', '× ours').slice(0, 1),
    { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
    ...versus('versusFirst', 'goodput', '× ours').slice(0, 1),
    ...(concern === 'rendering' ? [firstByte, latency('p50', 1)] : []),
    p99(1),
    { title: '/hello p99 ms', cell: row => middle(row.besideP99Ms, 1, false) },
    { title: 'memory MiB', cell: row => middle(row.memoryMiB, 0, false) },
    { title: 'wake-ups', cell: row => middle(row.wakeups, 2, false) },
    valid,
  ]
}
