import { concerns } from '../../app/concerns.ts'
import { stepNames } from '../../app/steps.ts'
import { toFlags } from '../../lib/command-line.ts'
import type { Results } from '../outcome/results.ts'

/** The command that measures the same rows in the same way again. */
export function repeatCommand({
  settings,
  steps,
  calibration,
}: Pick<Results, 'settings' | 'steps' | 'calibration'>): string {
  const { command, scenario, connections, arrivals, beside, threads, rounds, budgetSeconds, seed } = settings
  const rates = [...new Set(steps.flatMap(({ ratePerSecond }) => ratePerSecond ?? []))]
  const isOpen = rates.length > 0
  const isOnCores = command === 'equal-cores'
  const flags = toFlags({
    ...selectionOf(command, steps),
    rate: isOpen ? rates : (settings.besideRate ?? undefined),
    arrivals: isOpen || isOnCores ? arrivals : undefined,
    beside: isOnCores ? undefined : (beside ?? undefined),
    cores: settings.cores?.length,
    poolSizes: calibration?.chosen,
    spectrum: command === 'run' ? (settings.spectrum ? 'yes' : 'no') : undefined,
    scenario: command === 'isolation' ? undefined : scenario,
    connections,
    threads: isOnCores ? undefined : threads,
    ...(budgetSeconds === null
      ? { rounds }
      : { budgetMs: budgetSeconds * 1000, narrowPercent: settings.narrowPercent }),
    warmupMs: settings.warmupSeconds * 1000,
    durationMs: settings.durationSeconds * 1000,
    seed,
  })
  return ['npm run loadtest --', command, ...flags].join(' ')
}

/** What selects the rows: `--steps`, or `--step` with what stands in for its parts; their names say which. */
function selectionOf(command: string, rows: Results['steps']): Readonly<Record<string, unknown>> {
  if (command === 'ablation' || command === 'equal-cores') return {}
  const parsed = rows.map(({ name }) => parseName(name))
  const [first] = parsed
  const valuesOf = (key: string) => {
    const values = new Set(parsed.flatMap(({ changes }) => changes.get(key) ?? []))
    return values.size > 0 ? [...values] : undefined
  }
  const sizes = valuesOf('gc')?.flatMap(name => /^semi-space-(\d+)-MiB$/.exec(name)?.[1] ?? [])
  const choices = {
    ...Object.fromEntries(concerns.map(concern => [concern, valuesOf(concern)])),
    workerPriority: valuesOf('worker-priority'),
    instances: valuesOf('instances'),
    handicapPercent: valuesOf('handicap')?.map(Number.parseFloat),
    semiSpaceMib: sizes,
  }
  const isOneStep = ['aa', 'open', 'gc'].includes(command) || Object.values(choices).some(Boolean)
  return isOneStep
    ? { step: first?.step, ...choices }
    : { steps: [...new Set(parsed.map(({ step }) => step))] }
}

/** `apm+apm=none at 100/s` as its step and what stands in for its parts. */
function parseName(name: string) {
  const [step = '', ...changes] = name.replace(/( again)?( at \d+\/s)?$/, '').split('+')
  return {
    step: stepNames.includes(step) ? step : undefined,
    changes: new Map(changes.map(change => change.split('=') as [string, string])),
  }
}
