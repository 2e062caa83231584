import { lastStep } from '../../app/steps.ts'
import { choice, percent, text, toggle, type Values } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { changeColumn, costColumns, firstColumns, pageColumns, pairColumns } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, rowOptions, samplingOptions, settingsFrom } from '../options.ts'
import { sayVerdict } from '../outcome/metrics.ts'
import type { PlannedRun, Results } from '../outcome/results.ts'
import { bars, ratios } from '../report/plots/metrics.ts'
import { spectrumPlot } from '../report/plots/spectrum.ts'
import { ablated, besideBranch, handicapped, onOwnRequests } from '../sample/compared-rows.ts'
import { type Row, selectRow, selectRows } from '../sample/rows.ts'

const isVersion = (given: string): boolean => /^\d+(\.\d+){0,2}$/.test(given)

const options = {
  ...rowOptions,
  node: {
    help: 'versions of Node.js that run the app of a row, and nothing else; npm gets those that this machine lacks',
    placeholder: 'N,N,N',
    expected: 'a list of versions such as 22,24 or 24.21.0',
    parse: (given: string) => (given.split(',').every(isVersion) ? given.split(',') : undefined),
  },
  branch: text({
    placeholder: 'NAME',
    help: 'also measure the app of this branch or commit, with the packages and the other processes of this checkout; beside the last step, or the steps that are named',
  }),
  mostPercent: percent({
    min: 0,
    max: 1000,
    help: 'with --branch: exit code 1 if the main thread of a row costs, allocates or is woken this much more than that of the branch, such as 10%',
  }),
  ablation: toggle({
    help: 'measure the last step, and the last step with one concern at a time put back to its first implementation',
  }),
  ownRequests: toggle({
    help: 'measure each step beside the one before on the request that the step is about, such as /page for rendering',
  }),
  handicapPercent: percent({
    min: 0.1,
    max: 100,
    help: 'with --step: measure the step against itself with a main thread that uses this much more CPU, such as 3%',
  }),
  ...loadOptions,
  spectrum: choice({
    choices: ['yes', 'no'],
    help: 'profile each row once, to show how its main thread spends its time (default yes; no with --quick, and if rows are compared with the first)',
  }),
  ...samplingOptions,
} as const

export const runRows = rowsCommand({
  name: 'run',
  usage: 'npm run loadtest -- [run] [options]',
  description: `Starts the processes of each row (a step, or a variant of it), puts them under load, and shows what a response costs the
main thread. A block has a sample of every row, of processes that are started anew; with --quick, they start once.`,
  options,
  plan(options): PlannedRun {
    refuseContradictions(options)
    const versusFirst = options.ablation || options.branch || options.node
    const spectrum = options.spectrum ?? (options.quick || versusFirst ? 'no' : 'yes')
    const settings = settingsFrom('run', options, {
      ...options,
      spectrum: spectrum === 'yes',
      keepsStacks: true,
      ...(versusFirst && { baseline: 'first' }),
    })
    return { rows: rowsOf(options), settings }
  },
  title: titleOf,
  columns,
  judge(results, { mostPercent }) {
    if (mostPercent === undefined) return
    const more = findMore(results, mostPercent / 100)
    if (more.length > 0) throw new UserError(`more by over ${mostPercent} %: ${more.join(', ')}`)
  },
  plots: [
    spectrumPlot,
    bars('mainThreadMicros'),
    ratios('mainThreadMicros'),
    bars('goodput'),
    ratios('goodput'),
  ],
})

type Options = Values<typeof options>

/** Counts, which other programs hardly change, come before times. */
const judged = ['allocatedBytes', 'wakeups', 'mainThreadMicros'] as const

export const findMore = ({ steps }: Pick<Results, 'steps'>, threshold: number): string[] =>
  steps.flatMap(({ name, versusFirst }) =>
    judged.flatMap(metric => {
      const { ratio, verdict } = versusFirst?.[metric] ?? {}
      const isMore = verdict && sayVerdict(metric, verdict) === 'more' && (ratio as number) > 1 + threshold
      return isMore ? [`${metric} of ${name} × ${(ratio as number).toFixed(2)}`] : []
    }),
  )

/** @throws UserError when options exclude each other */
function refuseContradictions(options: Options): void {
  const { ablation, branch, handicapPercent, node, ownRequests, step, steps } = options
  const selections = {
    '--ablation': ablation,
    '--branch': branch,
    '--handicap': handicapPercent,
    '--node': node,
    '--own-requests': ownRequests,
  }
  const [chosen, another] = Object.entries(selections).flatMap(([flag, value]) => (value ? [flag] : []))
  if (another) throw new UserError(`${chosen} and ${another} exclude each other; give one of them`)
  if (handicapPercent !== undefined && (steps || !step))
    throw new UserError('--handicap compares one step with itself; name it with --step')
  if (ownRequests && options.quick)
    throw new UserError(
      '--own-requests starts up to 14 stacks, for which --quick has no time; leave one of them out',
    )
  if (ownRequests && step) throw new UserError('--own-requests compares steps; name them with --steps')
  if (ablation && (steps || step))
    throw new UserError('--ablation chooses the rows; leave out --steps and --step')
  if (options.mostPercent !== undefined && !branch)
    throw new UserError('--most compares with another commit; name it with --branch')
  if (options.spectrum === 'yes' && branch)
    throw new UserError('--branch measures another app, which has no spectrum; leave out --spectrum')
}

function rowsOf(options: Options): Row[] {
  const { ablation, branch, handicapPercent, ownRequests, step, steps } = options
  if (ownRequests) return onOwnRequests(selectRows(steps, undefined, options))
  if (ablation) return ablated(lastStep)
  if (handicapPercent !== undefined) return handicapped(selectRow(step, options), handicapPercent)
  if (!branch) return selectRows(steps, step, options)
  return besideBranch(selectRows(steps || step ? steps : lastStep.name, step, options), branch)
}

function titleOf({ steps }: Results): string {
  if (steps.some(({ scenario }) => scenario !== undefined)) return 'Each step on its own request'
  return steps.every(({ number }) => number !== null) ? 'The ladder' : 'Side by side'
}

function columns({ steps, settings: { scenario, baseline } }: Results) {
  if (steps.some(({ app }) => app?.handicapPercent !== undefined)) return pairColumns
  if (baseline === 'first') return firstColumns
  if (scenario === 'page') return pageColumns
  const [step, ...costs] = costColumns
  return [...(step ? [step] : []), ...changeColumn(steps), ...costs]
}
