import { explained, renderColumns } from '../../lib/cli/columns.ts'
import { runCommand } from '../../lib/cli/command.ts'
import { duration, integer, toggle } from '../../lib/cli/options.ts'
import type { Environment } from '../outcome/environment.ts'
import { measureRounds } from '../run/rounds.ts'
import type { Interval } from '../statistics/median.ts'
import { pairedRatio, type Ratio } from '../statistics/ratio.ts'

/** The values of each case, one for each round. */
export type Samples = Readonly<Record<string, readonly number[]>>

export interface BenchResults {
  readonly schemaVersion: 1
  readonly bench: string
  readonly environment: Environment
  readonly settings: { readonly rounds: number; readonly durationMs: number; readonly seed: number }
  readonly samples: Samples
}

type Sample = number | Readonly<Record<string, number>>

export interface Bench {
  /** NAME in `npm run bench -- NAME`. */
  readonly name: string
  readonly description: string
  /** Prepares, and names the cases. */
  prepare(): Promise<readonly string[]>
  readonly defaultDuration: string
  /** Takes one sample of a case: a value, or several by what follows its name in the results. */
  take(name: string, durationMs: number): Promise<Sample>
  close?(): Promise<void>
  render(samples: Samples, render: typeof renderColumns): string
}

/** The ratio of one case's cost to another's, from the pairs of each round. */
export const ratioOf = (own: readonly number[], other: readonly number[]): Ratio =>
  pairedRatio(
    own.map((value, round): Interval => [value, other[round] as number]),
    'lower',
  )

export const runBench = ({ name, description, ...bench }: Bench): Promise<void> =>
  runCommand({
    usage: `npm run bench -- ${name} [options]`,
    description,
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
      const { durationMs } = settings
      const { environment, samples } = await measureRounds(
        {
          ...{ rows: await bench.prepare(), isBrief: true },
          settings: { ...settings, command: name, arguments: [] },
          nameOf: row => row,
          async take(row, round) {
            return { round, valid: true, reason: null, value: await bench.take(row, durationMs) }
          },
          summarize: taken => ({
            samples: Object.fromEntries([...taken].flatMap(([row, own]) => seriesOf(row, own))),
          }),
        },
        new AbortController().signal,
      )
      const results: BenchResults = { schemaVersion: 1, bench: name, environment, settings, samples }
      await bench.close?.()
      const text = json
        ? JSON.stringify(results, null, 2)
        : bench.render(results.samples, explained(renderColumns))
      process.stdout.write(`${text}\n`)
    },
  })

function seriesOf(row: string, taken: readonly { readonly value: Sample }[]): [string, readonly number[]][] {
  const values = taken.map(({ value }) => value)
  if (typeof values[0] !== 'object') return [[row, values as readonly number[]]]
  const named = values as readonly Readonly<Record<string, number>>[]
  return Object.keys(values[0]).map(what => [`${row}${what}`, named.map(each => each[what] as number)])
}
