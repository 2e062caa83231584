import { listDescendants } from '../../sample/machine.ts'
import type { RowCores } from '../../sample/rows.ts'
import type { CoresUse } from '../../sample/sample.ts'
import { readThreads } from '../../sample/threads.ts'

interface NamedProcess {
  readonly name: string
  readonly pid: number
}

/** With the CPU time that it has had, in nanoseconds. */
export interface ThreadReading {
  readonly process: string
  readonly thread: string
  readonly ranNs: number
}

type Reading = ReadonlyMap<string, ThreadReading>

/** @returns a function that tells how much of their cores the processes have used since then */
export function watchCores(processes: readonly NamedProcess[], cores: RowCores): () => CoresUse {
  const atMs = performance.now()
  const before = read(processes)
  return () => compareReadings(before, read(processes), performance.now() - atMs, cores)
}

const read = (processes: readonly NamedProcess[]): Reading =>
  new Map(
    processes.flatMap(({ name, pid }) =>
      [pid, ...listDescendants(pid)]
        .flatMap(readThreads)
        .map(({ id, thread, ranNs }) => [String(id), { process: name, thread, ranNs }] as const),
    ),
  )

/** @param elapsedMs real time between the two readings */
export function compareReadings(
  before: Reading,
  after: Reading,
  elapsedMs: number,
  { count, speed }: Pick<RowCores, 'count' | 'speed'>,
): CoresUse {
  const coreNs = elapsedMs * 1e6 * speed
  const shares = [...after].map(([id, { process, thread, ranNs }]) => ({
    process,
    thread,
    share: (ranNs - (before.get(id)?.ranNs ?? 0)) / coreNs,
  }))
  const sum = (some: typeof shares) => some.reduce((total, { share }) => total + share, 0)
  return {
    all: sum(shares) / count,
    threads: [...Map.groupBy(shares, ({ process, thread }) => `${process} ${thread}`).values()]
      .map(group => ({
        process: group[0]?.process as string,
        thread: group[0]?.thread as string,
        count: group.length,
        mean: sum(group) / group.length,
        busiest: Math.max(...group.map(({ share }) => share)),
      }))
      .toSorted((one, other) => other.mean - one.mean),
  }
}
