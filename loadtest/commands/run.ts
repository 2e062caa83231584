import { lastStep } from '../../app/steps.ts'
import { percent, toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import {
  costColumns,
  firstColumns,
  movedColumn,
  pageColumns,
  pairColumns,
  versionColumns,
} from '../declaration/columns.ts'
import type { Heading } from '../declaration/presentation.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { withFloor } from '../floor/rows.ts'
import { floorOption, loadOptions, rowOptions, samplingOptions, spectrumOptions } from '../options.ts'
import { hasVersions, type Results } from '../outcome/results.ts'
import type { PlannedRun } from '../run/planned-run.ts'
import { ablated } from '../sample/ablated.ts'
import { handicapped, type Row, selectRow, selectRows } from '../sample/rows.ts'
import { settingsFrom } from '../settings-from.ts'

const options = {
  ...rowOptions,
  ...floorOption,
  ablation: toggle({
    help: 'measure the last step, and the last step with one concern at a time put back to its first implementation',
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
    const { ablation, floor, handicapPercent, instances, node, nodeFlags, step, steps } = options
    const selections = {
      '--ablation': ablation,
      '--handicap': handicapPercent,
      '--floor': floor,
      '--node': node,
    }
    const [chosen, another] = Object.entries(selections).flatMap(([flag, value]) => (value ? [flag] : []))
    if (another) throw new UserError(`${chosen} and ${another} exclude each other; give one of them`)
    if (handicapPercent !== undefined && (steps || !step)) {
      throw new UserError('--handicap compares one step with itself; name it with --step')
    }
    if (ablation && (steps || step))
      throw new UserError('--ablation chooses the rows; leave out --steps and --step')
    const hasInstances = instances?.some(count => count > 1) ?? false
    if (hasInstances && options.spectrum === 'yes') {
      throw new UserError('a spectrum is of one main thread; leave out --spectrum or --instances')
    }
    if (floor && options.spectrum === 'yes')
      throw new UserError('the floor has no spectrum; leave out --spectrum or --floor')
    const versusFirst = Boolean(ablation || floor || node || nodeFlags)
    const spectrum = options.spectrum ?? (options.quick || hasInstances || versusFirst ? 'no' : 'yes')
    const rows = withFloor(rowsOf(), options)
    const settings = settingsFrom('run', options, {
      ...options,
      spectrum: spectrum === 'yes',
      keepsStacks: true,
      ...(versusFirst && { baseline: 'first' }),
    })
    return { rows, settings }

    function rowsOf(): Row[] {
      if (ablation) return ablated(lastStep)
      if (handicapPercent === undefined) return selectRows(steps, step, options)
      return handicapped(selectRow(step, options), handicapPercent)
    }
  },
  heading: results => headings.find(({ fits }) => fits(results)) ?? SIDE_BY_SIDE,
  columns,
  plots({ settings: { baseline } }) {
    const versus = baseline === 'first' ? 'versus-first' : 'versus-previous'
    return [
      ...(['prism', 'spectrum', 'spectrum-shares', 'main-thread', `main-thread-${versus}`] as const),
      ...(['ceiling', 'goodput', `goodput-${versus}`, 'latency'] as const),
    ]
  },
})

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
    fits: ({ steps }) => steps.some(({ floor }) => floor !== undefined),
    title: 'Above the floor',
    introduction:
      'Bare node:http that sends the same bytes with no work at all, and how much each step costs more.',
  },
  {
    fits: ({ settings }) =>
      settings.command === 'ablation' || (settings.arguments?.includes('--ablation') ?? false),
    title: 'The gain of each concern alone',
    introduction:
      'The last step, then the last step with one concern at a time put back to its first implementation.',
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
  if (hasVersions(steps)) return versionColumns
  if (baseline === 'first') return firstColumns
  if (scenario === 'page') return pageColumns
  const [step, ...costs] = costColumns
  return [...(step ? [step] : []), ...movedColumn(steps), ...costs]
}
