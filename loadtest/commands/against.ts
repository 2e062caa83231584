import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderMarkdownTable } from '../../lib/cli/markdown.ts'
import { choices, duration, integer, percent, text } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../declaration/command.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { fixed, formatRatio } from '../outcome/format.ts'
import { type Metric, metrics, wordOf } from '../outcome/metrics.ts'
import type { Results } from '../outcome/results.ts'
import type { Interval } from '../statistics/median.ts'
import { median } from '../statistics/median.ts'
import { pairedRatio, type Ratio } from '../statistics/ratio.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Counts, which other programs hardly change, come before times. */
const compared = ['allocatedBytes', 'wakeups', 'mainThreadMicros'] as const satisfies readonly Metric[]

const options = {
  base: text({
    placeholder: 'COMMIT',
    default: 'origin/main',
    help: 'the commit to compare with what is here',
  }),
  steps: text({ placeholder: 'LIST', default: '0,7', help: 'steps to measure, by number or name' }),
  scenarios: choices({ choices: scenarioNames, default: 'demo,page', help: 'the requests of the load' }),
  rounds: integer({
    min: 2,
    max: 100,
    default: '6',
    help: 'blocks, each with a sample of every row of both',
  }),
  warmupMs: duration({ minMs: 100, default: '1s', help: 'time under load before the measured window' }),
  durationMs: duration({ minMs: 500, default: '2s', help: 'length of the measured window' }),
  thresholdPercent: percent({
    min: 0,
    max: 1000,
    default: '10%',
    help: 'exit code 1 if something is more, and by more than this',
  }),
} as const

/** A step and scenario with the values of a metric in the base and here, block by block. */
export interface Compared {
  readonly row: string
  readonly metric: Metric
  readonly pairs: readonly Interval[]
  readonly ratio: Ratio
}

export const against: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- against [options]',
  description: `Measures another commit and what is here by turns, and compares what a request costs. In a job of GitHub Actions, the
table is added to the job's summary. The other commit is installed in a temporary directory.`,
  options,
  async run({ base, steps, scenarios, rounds, warmupMs, durationMs, thresholdPercent }) {
    const other = install(base)
    try {
      const blocks = Array.from({ length: rounds }, (_, block) => {
        process.stderr.write(`block ${block + 1} of ${rounds}\n`)
        return scenarios.map(scenario => {
          const flags = `run --steps ${steps} --scenario ${scenario} --warmup ${warmupMs}ms --duration ${durationMs}ms`
          // Which of the two comes first changes from block to block, so that drift cancels out.
          const sides = block % 2 === 0 ? [other, ROOT] : [ROOT, other]
          const results = new Map(sides.map(directory => [directory, measure(directory, flags)]))
          return { scenario, base: results.get(other) as Results, here: results.get(ROOT) as Results }
        })
      })
      const table = compareBlocks(blocks)
      const rendered = renderComparison(table, base)
      process.stdout.write(rendered)
      const { GITHUB_STEP_SUMMARY } = process.env
      if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, rendered)
      const worse = findMore(table, thresholdPercent / 100)
      if (worse.length > 0) throw new UserError(`more by over ${thresholdPercent} %: ${worse.join(', ')}`)
    } finally {
      execFileSync('git', ['worktree', 'remove', '--force', other], { cwd: ROOT })
      rmSync(other, { recursive: true, force: true })
    }
  },
}

/** @throws UserError when there is no such commit, or it cannot be installed */
function install(commit: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'against-'))
  try {
    execFileSync('git', ['worktree', 'add', '--detach', directory, commit], { cwd: ROOT, stdio: 'pipe' })
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, stdio: 'pipe' })
    return directory
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    execFileSync('git', ['worktree', 'prune'], { cwd: ROOT })
    const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim()
    throw new UserError(`cannot install ${commit}: ${said.split('\n')[0]}`)
  }
}

/** Takes one sample of each row, with the load test of that directory. @throws UserError when it fails */
function measure(directory: string, flags: string): Results {
  const args = [
    'loadtest/main.ts',
    ...flags.split(' '),
    ...'--rounds 1 --spectrum no --accept-noise --json'.split(' '),
  ]
  try {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    return JSON.parse(
      String(execFileSync(process.execPath, args, { cwd: directory, stdio: [...stdio], maxBuffer: 2 ** 28 })),
    )
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? error).trim()
    throw new UserError(`npm run loadtest -- ${flags} failed: ${said.split('\n').at(-1)}`)
  }
}

interface Block {
  readonly scenario: string
  readonly base: Pick<Results, 'steps'>
  readonly here: Pick<Results, 'steps'>
}

/** Compares the rows that both sides have, by blocks. */
export function compareBlocks(blocks: readonly (readonly Block[])[]): Compared[] {
  const [first = []] = blocks
  return first.flatMap(({ scenario, here }, index) =>
    here.steps.flatMap(({ name }) =>
      compared.map(metric => {
        const valueIn = ({ steps }: Pick<Results, 'steps'>) =>
          steps.find(row => row.name === name)?.[metric].median ?? Number.NaN
        const pairs = blocks
          .map(block => block[index] as Block)
          .map((block): Interval => [valueIn(block.here), valueIn(block.base)])
          .filter(pair => pair.every(value => value > 0))
        return {
          row: `${scenario}, ${name}`,
          metric,
          pairs,
          ratio: pairedRatio(pairs, metrics[metric].better),
        }
      }),
    ),
  )
}

const renderComparison = (table: readonly Compared[], base: string): string =>
  `${renderMarkdownTable(table, [
    { title: 'a request of', cell: ({ row }) => row },
    { title: 'main thread', cell: ({ metric }) => metric },
    { title: base, cell: ({ pairs }) => fixed(median(pairs.map(([, other]) => other)), 2) },
    { title: 'here', cell: ({ pairs }) => fixed(median(pairs.map(([own]) => own)), 2) },
    { title: 'ratio', cell: ({ ratio }) => formatRatio(ratio, 2) },
    { title: 'verdict', cell: ({ metric, ratio }) => wordOf(metric, ratio.verdict) },
  ])}\n`

/** What is more beyond doubt, and by more than the threshold. */
export const findMore = (table: readonly Compared[], threshold: number): string[] =>
  table
    .filter(
      ({ metric, ratio }) =>
        wordOf(metric, ratio.verdict) === 'more' && (ratio.ratio as number) > 1 + threshold,
    )
    .map(({ row, metric, ratio }) => `${metric} of ${row} × ${(ratio.ratio as number).toFixed(2)}`)
