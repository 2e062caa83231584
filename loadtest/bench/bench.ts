import { renderColumns } from '../../lib/columns.ts'
import { runCommand } from '../../lib/command.ts'
import { duration, integer, toggle } from '../../lib/options.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { formatDuration } from '../../lib/units.ts'

/** A comparison of cases, each measured several times. */
interface Bench<Name extends string> {
  readonly usage: string
  readonly description: string
  readonly names: readonly Name[]
  /** The case that the others are compared with. */
  readonly ours: Name
  /** Of the column of names. */
  readonly title: string
  /** What `measure` answers. */
  readonly unit: string
  readonly defaultDuration: string
  /** What a sample takes besides its measured time. */
  readonly overheadMs: number
  /** One sample of a case. */
  measure(name: Name, durationMs: number): Promise<number>
}

/** A command that takes the samples in rounds, the cases in another order in each, and prints a table. */
export const runBench = <Name extends string>(bench: Bench<Name>): Promise<void> =>
  runCommand({
    usage: bench.usage,
    description: bench.description,
    options: {
      rounds: integer({ min: 1, max: 100, default: '7', help: 'samples of each case' }),
      durationMs: duration({
        minMs: 10,
        default: bench.defaultDuration,
        help: 'measured time of a sample',
      }),
      seed: integer({ min: 0, max: 2 ** 31, default: '1', help: 'decides the order' }),
      json: toggle({ help: 'every sample on stdout' }),
    },
    async run({ rounds, durationMs, seed, json }) {
      const { names, overheadMs, measure } = bench
      const plannedMs = rounds * names.length * (durationMs + overheadMs)
      process.stderr.write(`${rounds} rounds of ${names.length} cases, about ${formatDuration(plannedMs)}\n`)
      const random = seededRandom(seed)
      const samples = new Map<Name, number[]>(names.map(name => [name, []]))
      for (let round = 1; round <= rounds; round++) {
        for (const name of shuffled(names, random)) samples.get(name)?.push(await measure(name, durationMs))
        process.stderr.write(`round ${round} of ${rounds}\n`)
      }
      const output = json ? JSON.stringify(Object.fromEntries(samples), null, 2) : renderTable(bench, samples)
      process.stdout.write(`${output}\n`)
    },
  })

function renderTable<Name extends string>(
  { names, ours, title, unit }: Bench<Name>,
  samples: ReadonlyMap<Name, readonly number[]>,
): string {
  const summarize = (name: Name) => {
    const ordered = (samples.get(name) ?? []).toSorted((a, b) => a - b)
    const at = (index: number) => ordered[index] ?? Number.NaN
    return { min: at(0), median: at(Math.floor(ordered.length / 2)), max: at(ordered.length - 1) }
  }
  const baseline = summarize(ours).median
  const rows = names.map(name => ({ name, ...summarize(name) }))
  return renderColumns(rows, [
    { title, cell: ({ name }) => name },
    { title: unit, cell: ({ median }) => median.toFixed(0) },
    { title: 'min', cell: ({ min }) => min.toFixed(0) },
    { title: 'max', cell: ({ max }) => max.toFixed(0) },
    { title: '× ours', cell: ({ median }) => (median / baseline).toFixed(2) },
  ])
}
