import { lastStep } from '../../app/steps.ts'
import { names, percent, toggle, type Values } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { changeColumn, costColumns, firstColumns, pageColumns, pairColumns } from '../declaration/columns.ts'
import type { Heading } from '../declaration/presentation.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, rowOptions, samplingOptions, spectrumOptions } from '../options.ts'
import { sayVerdict } from '../outcome/metrics.ts'
import { hasVersions, type PlannedRun, type Results } from '../outcome/results.ts'
import { ratios } from '../report/plots/gains.ts'
import { latencyPlot } from '../report/plots/latency.ts'
import { spectrumPlot } from '../report/plots/spectrum.ts'
import { bars } from '../report/plots/values.ts'
import { ablated, handicapped, onOwnRequests, stepOfBranch, withBranches } from '../sample/compared-rows.ts'
import { type Row, selectRow, selectRows } from '../sample/rows.ts'
import { settingsFrom } from '../settings-from.ts'

const options = {
  ...rowOptions,
  branch: names({
    help: 'also measure the app of these branches or commits, with the packages and the other processes of this checkout; beside the same step of this checkout, or the steps that are named',
  }),
  mostPercent: percent({
    min: 0,
    max: 1000,
    help: 'with --branch: exit code 1 if the main thread of a row allocates, is woken or costs more than that of the branch, by more than this',
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
  ...spectrumOptions,
  ...samplingOptions,
} as const

export const runRows = rowsCommand({
  name: 'run',
  usage: 'npm run loadtest -- [run] [options]',
  description: `Puts the stack of each row under load, a fresh one for every sample (with --quick one for all), and shows what a
response costs the main thread.`,
  options,
  plan(options): PlannedRun {
    refuseContradictions(options)
    const versusFirst = comparesWithFirst(options)
    const spectrum = options.spectrum ?? (options.quick || versusFirst ? 'no' : 'yes')
    const settings = settingsFrom('run', options, {
      ...options,
      spectrum: spectrum === 'yes',
      keepsStacks: true,
      ...(versusFirst && { baseline: 'first' }),
    })
    return { rows: rowsOf(options), settings }
  },
  heading: results => headings.find(({ fits }) => fits(results)) ?? SIDE_BY_SIDE,
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
    latencyPlot,
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

const comparesWithFirst = ({ ablation, branch, node }: Options): boolean =>
  Boolean(ablation || branch || node)

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
  const likeBranch = steps || step ? steps : (stepOfBranch(branch[0] as string)?.name ?? lastStep.name)
  return withBranches(selectRows(likeBranch, step, options), branch)
}

const SIDE_BY_SIDE: Heading = {
  title: 'Side by side',
  introduction: 'Each row does the same work in another way. What does each cost?',
}

/** The headings of runs of some kinds of rows, the first of which that fits counts. */
const headings: readonly (Heading & { fits(results: Results): boolean })[] = [
  {
    fits: ({ steps }) => hasVersions(steps),
    title: 'Versions of Node.js',
    introduction:
      'The app of each row runs on one version of Node.js; sidecars, upstream and load generator run on the current one.',
  },
  {
    fits: ({ steps }) => steps.some(({ branch }) => branch !== undefined),
    title: 'Branches',
    introduction:
      'The app of a branch beside that of this checkout, with the same sidecars, upstream and packages.',
  },
  {
    fits: ({ settings }) => settings.arguments.includes('--ablation'),
    title: 'The gain of each concern alone',
    introduction:
      'The last step, then the last step with one concern at a time put back to its first implementation.',
  },
  {
    fits: ({ steps }) => steps.some(({ scenario }) => scenario !== undefined),
    title: 'Each step on its own request',
    introduction: 'Each step beside the one before, on the request that the step is about.',
  },
  {
    fits: ({ steps }) => steps.every(({ number }) => number !== null),
    title: 'The ladder',
    introduction:
      'Each step moves one concern off the main thread, or makes it cheaper. What does each step gain?',
  },
]

function columns({ steps, settings: { scenario, baseline } }: Results) {
  if (steps.some(({ app }) => app?.handicapPercent !== undefined)) return pairColumns
  if (baseline === 'first') return firstColumns
  if (scenario === 'page') return pageColumns
  const [step, ...costs] = costColumns
  return [...(step ? [step] : []), ...changeColumn(steps), ...costs]
}
