import { performance } from 'node:perf_hooks'
import { formatDuration } from '../../lib/units.ts'
import { counted, percent } from '../outcome/format.ts'
import { isNoisy } from '../outcome/noisy.ts'
import type { PlannedRun, Results, RowResult, Settings } from '../outcome/results.ts'
import { resultsFile } from '../outcome/results-file.ts'
import { pairsOf, versusBaseline } from '../outcome/summarize.ts'
import { type Row, warmupSecondsOf } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { type Spectrum, slices } from '../spectrum/spectrum.ts'
import { firstLook } from '../statistics/looks.ts'
import { widthOf } from '../statistics/stopping-rule.ts'
import { NARROW } from '../statistics/thresholds.ts'
import type { Telling } from './measure.ts'
import { createProgress } from './progress.ts'
import { listUndecided } from './stopping.ts'

/** Time to start, check and stop a stack on an idle machine: a guess that is used until a sample has been taken. */
const GUESSED_OVERHEAD_MS = 2000

/** The same for a sample of a stack that is kept, and for the start of such a stack. */
const GUESSED_KEPT_MS = { sample: 350, start: 1500 } as const

const SPECTRUM_MS = 13_000

export interface RowsProgress extends Telling<Row, Sample, Results> {
  /** Tells that the stacks that are kept start. */
  starting(): void
  profiling(row: Row): void
  profiled(row: Row, spectrum: Spectrum): void
}

/** The progress of a run of rows. */
export function createRowsProgress(
  { rows, settings, startedAtMs = performance.now(), verbose = false }: PlannedRun,
  livePort: number,
  stream: NodeJS.WriteStream = process.stderr,
): RowsProgress {
  const { budgetSeconds, rounds, looks, keepsStacks, promisedSeconds } = settings
  const isBrief = looks && !verbose
  const { say, showOnTerminal, timeLeft, foresee, ...progress } = createProgress<Row, Sample>({
    rows,
    rounds: budgetSeconds === null ? rounds : undefined,
    nameOf: ({ name }) => name,
    lengthOf: row => plannedMs(row, settings),
    outcomeOf: sample =>
      `${Math.round(sample.mainThreadMicros)} µs on the main thread, ${Math.round(sample.goodput)} good/s${isNoisy(sample) ? ' (noisy)' : ''}`,
    verbose,
    isBrief,
    promisedSeconds,
    startedAtMs,
    stream,
  })
  return {
    ...progress,
    plan(results) {
      const { beforeMs, blockMs } = guessTimes(rows, settings)
      const least = budgetSeconds === null ? rounds : looks ? firstLook(rows.length) : 1
      const leastMs = beforeMs + least * blockMs
      const tell = isBrief ? () => {} : say
      tell(
        `${counted(rows.length, 'sample')} a block; ${describeLength(settings, leastMs)}; order from seed ${settings.seed}`,
      )
      const budgetEndMs = startedAtMs + (budgetSeconds ?? 0) * 1000
      foresee(Math.max(budgetEndMs, performance.now() + leastMs), 'there are many or long samples')
      tell(`results go to ${resultsFile(results)}`)
      if (keepsStacks) return
      tell(
        `watch http://127.0.0.1:${livePort}/ once the first sample runs (an open page adds to the total cost, not to the main-thread cost)`,
      )
    },
    starting() {
      const stacks = counted(rows.length, 'stack')
      if (!isBrief) say(`${stacks} start, and are kept for the whole run`)
      else if (stream.isTTY) showOnTerminal(`${stacks} start … ${timeLeft()}`)
      else say(`${stacks} start, ${timeLeft()}`)
    },
    profiling: row => showOnTerminal(`[spectrum] ${row.name} … ${timeLeft()}`),
    profiled(row, { shares, unattributed, reason, attempts }) {
      const largest = slices.toSorted((a, b) => shares[b] - shares[a]).slice(0, 3)
      const parts = largest.map(slice => `${slice} ${percent(shares[slice])}`)
      const doubt = reason ? `; in doubt after ${attempts} attempts: ${reason}` : ''
      say(
        `[spectrum] ${row.name}: ${parts.join(', ')}, unattributed ${percent(unattributed)}${doubt} · ${timeLeft()}`,
      )
    },
  }
}

/** Guesses how long a run takes before its first block, and for each block. */
function guessTimes(rows: readonly Row[], settings: Settings) {
  const { warmupSeconds, durationSeconds, spectrum, keepsStacks } = settings
  const profilesMs = spectrum ? rows.length * SPECTRUM_MS : 0
  if (keepsStacks)
    return {
      beforeMs: profilesMs + rows.length * (warmupSeconds * 1000 + GUESSED_KEPT_MS.start),
      blockMs: rows.length * (durationSeconds * 1000 + GUESSED_KEPT_MS.sample),
    }
  const blockMs = rows.reduce((sum, row) => sum + plannedMs(row, settings) + GUESSED_OVERHEAD_MS, 0)
  return { beforeMs: profilesMs, blockMs }
}

function describeLength({ budgetSeconds, rounds, looks }: Settings, leastMs: number): string {
  if (budgetSeconds === null) return `${counted(rounds, 'block')}, about ${formatDuration(leastMs)}`
  const budget = formatDuration(budgetSeconds * 1000)
  return looks
    ? `blocks, more of the rows that are nearest to a verdict, until ${budget} are spent`
    : `blocks until every ratio is known to ±${percent(NARROW, 1)} or ${budget} are spent`
}

/** Says how many differences are decided, or how wide the widest interval is among the ratios that decide when to stop. */
export function describeFound(steps: readonly RowResult[], settings: Settings): string {
  const { baseline, decisive = 'mainThreadMicros', looks } = settings
  if (looks) {
    const pairs = pairsOf(steps, baseline).length
    return `${pairs - listUndecided(steps, settings).length} of ${counted(pairs, 'difference')} decided`
  }
  const widths = steps.flatMap(row => {
    const ci95 = versusBaseline(row, baseline)?.[decisive].ci95
    return ci95 ? [widthOf(ci95)] : []
  })
  if (widths.length === 0) return 'done'
  const noun = decisive === 'goodput' ? 'goodput' : 'main-thread'
  return `${noun} ratios are known to ±${percent(Math.max(...widths), 1)}`
}

/** The planned length of a sample without its start and stop, in milliseconds. A window in slow motion is longer. */
const plannedMs = (
  row: Row,
  settings: Pick<Settings, 'warmupSeconds' | 'durationSeconds' | 'turns'>,
): number => {
  const { durationSeconds, turns = 1 } = settings
  const windowMs = (durationSeconds * 1000) / (row.cores?.speed ?? 1)
  const betweenMs = (turns - 1) * GUESSED_KEPT_MS.sample
  return warmupSecondsOf(row, settings) * 1000 + turns * windowMs + betweenMs
}
