import { renderColumns } from '../../lib/cli/columns.ts'
import { runCommand } from '../../lib/cli/command.ts'
import { duration, integer, toggle } from '../../lib/cli/options.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { record } from '../../lib/record.ts'
import { formatDuration } from '../../lib/units.ts'
import { readEnvironment } from '../outcome/environment.ts'
import type { BenchResults, Samples } from './bench-results.ts'

/** A comparison of cases, each measured several times. */
interface Bench<Name extends string> {
  /** NAME in `npm run bench -- NAME`. */
  readonly name: string
  readonly description: string
  readonly cases: readonly Name[]
  /** Called before the first sample. */
  prepare?(): Promise<void>
  readonly defaultDuration: string
  /** Time that a sample takes besides its measured time. */
  readonly overheadMs: number
  /** Takes one sample of a case. */
  measure(name: Name, durationMs: number): Promise<number>
  render(samples: Samples<Name>, renderTable: typeof renderColumns): string
}

/**
 * Runs a bench as a command: it takes samples in rounds, with the cases in another order in each round, and prints
 * them.
 */
export const runBench = <Name extends string>(bench: Bench<Name>): Promise<void> =>
  runCommand({
    usage: `npm run bench -- ${bench.name} [options]`,
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
    async run({ json, ...settings }) {
      const { rounds, durationMs, seed } = settings
      const { name, cases, overheadMs, prepare, measure, render } = bench
      await prepare?.()
      const environment = readEnvironment()
      const plannedMs = rounds * cases.length * (durationMs + overheadMs)
      process.stderr.write(`${rounds} rounds of ${cases.length} cases, about ${formatDuration(plannedMs)}\n`)
      const random = seededRandom(seed)
      const samples = record(cases, (): number[] => [])
      for (let round = 1; round <= rounds; round++) {
        for (const each of shuffled(cases, random)) samples[each].push(await measure(each, durationMs))
        process.stderr.write(`round ${round} of ${rounds}\n`)
      }
      const results: BenchResults = { schemaVersion: 1, bench: name, environment, settings, samples }
      process.stdout.write(`${json ? JSON.stringify(results, null, 2) : render(samples, renderColumns)}\n`)
    },
  })
