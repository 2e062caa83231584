import { percent } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { costColumns, movedColumn, pageColumns, pairColumns, versionColumns } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import {
  loadOptions,
  loadPercent,
  openOptions,
  rowOptions,
  samplingOptions,
  spectrumOptions,
} from '../options.ts'
import { hasVersions, type Results } from '../outcome/results.ts'
import type { PlannedRun } from '../run/planned-run.ts'
import { planShares } from '../run/shares.ts'
import { handicapped, selectRow, selectRows } from '../sample/rows.ts'
import { settingsFrom } from '../settings-from.ts'
import { describeCapacity } from './capacity-remarks.ts'

export const runRows = rowsCommand({
  name: 'run',
  usage: 'npm run loadtest -- [run] [options]',
  description: `Puts the stack of each row under load, a fresh one for every sample (with --quick one for all), and shows what a
response costs the main thread.`,
  options: {
    ...rowOptions,
    handicapPercent: percent({
      min: 0.1,
      max: 100,
      help: 'with --step: measure the step against itself with a main thread that uses this much more CPU, such as 3%',
    }),
    ...loadOptions,
    loadPercent: {
      ...loadPercent,
      help: `also measure each row on a schedule, at these ${loadPercent.help}`,
    },
    arrivals: openOptions.arrivals,
    ...spectrumOptions,
    ...samplingOptions,
  },
  async plan(options, abort): Promise<PlannedRun> {
    const { handicapPercent, loadPercent, node, step, steps } = options
    if (handicapPercent !== undefined && (steps || !step)) {
      throw new UserError('--handicap compares one step with itself; name it with --step')
    }
    if (loadPercent && (node || handicapPercent !== undefined)) {
      throw new UserError('--load excludes --node and --handicap; give one of them')
    }
    const hasInstances = options.instances?.some(count => count > 1) ?? false
    if (hasInstances && options.spectrum === 'yes') {
      throw new UserError('a spectrum is of one main thread; leave out --spectrum or --instances')
    }
    if (loadPercent && options.spectrum === 'yes') {
      throw new UserError('a spectrum is of a saturated main thread; leave out --spectrum or --load')
    }
    const spectrum = options.spectrum ?? (options.quick || hasInstances || node || loadPercent ? 'no' : 'yes')
    const settings = settingsFrom('run', options, {
      ...options,
      spectrum: spectrum === 'yes',
      keepsStacks: loadPercent === undefined,
      ...(node && { baseline: 'first' }),
    })
    const rows =
      handicapPercent === undefined
        ? selectRows(steps, step, options)
        : handicapped(selectRow(step, options), handicapPercent)
    if (!loadPercent) return { rows, settings }
    const shares = await planShares(rows, loadPercent, settings, abort)
    return { ...shares, rows: [...rows, ...shares.rows] }
  },
  heading: ({ steps }) =>
    hasVersions(steps)
      ? {
          title: 'Versions of Node.js',
          introduction:
            'The app of each row runs on one version of Node.js; sidecars, upstream and load generator run on the current one.',
        }
      : steps.every(({ number }) => number !== null)
        ? {
            title: 'The ladder',
            introduction:
              'Each step moves one concern off the main thread, or makes it cheaper. What does each step gain?',
          }
        : {
            title: 'Side by side',
            introduction: 'Each row does the same work in another way. What does each cost?',
          },
  columns,
  remarks: ({ settings, steps }) => describeCapacity(settings, steps),
  plots({ steps }) {
    const versus = hasVersions(steps) ? 'versus-first' : 'versus-previous'
    return [
      ...(['prism', 'spectrum', 'spectrum-shares', 'main-thread', `main-thread-${versus}`] as const),
      ...(['ceiling', 'goodput', `goodput-${versus}`, 'latency'] as const),
      ...(['main-thread-over-load', 'wakeups-over-load', 'p50-over-load', 'p99-over-load'] as const),
    ]
  },
})

function columns({ steps, settings: { scenario } }: Results) {
  if (steps.some(({ app }) => app?.handicapPercent !== undefined)) return pairColumns
  if (hasVersions(steps)) return versionColumns
  if (scenario === 'page') return pageColumns
  const [step, ...costs] = costColumns
  return [...(step ? [step] : []), ...movedColumn(steps), ...costs]
}
