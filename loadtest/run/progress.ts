import { formatDuration } from '../../lib/units.ts'
import { counted, percent } from '../outcome/format.ts'
import { isNoisy } from '../outcome/noisy.ts'
import type { Results } from '../outcome/results.ts'
import { resultsFile } from '../outcome/results-file.ts'
import type { Settings } from '../outcome/settings.ts'
import { pairsOf, versusBaseline } from '../outcome/summarize.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { type Spectrum, slices } from '../spectrum/spectrum.ts'
import { firstLook } from '../statistics/looks.ts'
import { foreseeEffect } from '../statistics/ratio.ts'
import { widthOf } from '../statistics/stopping-rule.ts'
import { forecastSamples, plannedMs } from './forecast.ts'
import type { PlannedRun } from './planned-run.ts'
import { watchPromise } from './promise.ts'
import { measureSlowdown } from './slowdown.ts'
import type { RunState } from './stopping.ts'
import { listUndecided } from './undecided.ts'

/** Time to start, check and stop a stack on an idle machine: a guess that is used until a sample has been taken. */
const GUESSED_OVERHEAD_MS = 2000

/** The same for a sample of a stack that is kept, and for the start of such a stack. */
const GUESSED_KEPT_MS = { sample: 350, start: 1500 } as const

/** From this slowdown on, other programs are the reason why a run takes longer. */
const SLOW = 1.3

const SPECTRUM_MS = 13_000

/**
 * The scatter of main-thread ratios between two equal rows, taken from the published run of `aa`. A run of `aa` here
 * tells the scatter on this machine.
 */
const USUAL_SCATTER = 0.05

/** The same in windows of half a second. */
const USUAL_KEPT_SCATTER = 0.15

export interface Progress {
  plan(results: Results): void
  /** Tells that the stacks that are kept start. */
  starting(): void
  profiling(row: Row): void
  profiled(row: Row, spectrum: Spectrum): void
  started(row: Row, block: number): void
  finished(row: Row, sample: Sample): void
  finishedBlock(state: RunState): void
}

/**
 * Writes to stderr what is being measured and how long it will take: one line that changes on a terminal, a line for
 * each block in a pipe. If it is `verbose`, each sample has a line; a refused sample has one in any case.
 */
export function createProgress(
  { rows, settings, startedAtMs = performance.now(), verbose = false }: PlannedRun,
  livePort: number,
  stream: NodeJS.WriteStream = process.stderr,
  probe: () => number = measureSlowdown,
): Progress {
  const { budgetSeconds, rounds, looks, keepsStacks } = settings
  let endsAtMs = startedAtMs
  const forecast = forecastSamples(rows, rounds, row => plannedMs(row, settings))
  const timeLeft = () => {
    const atMost = budgetSeconds === null ? '' : 'at most '
    return `${atMost}${formatDuration(Math.max(0, endsAtMs - performance.now()))} left`
  }
  const overwrite = stream.isTTY ? '\r\x1b[2K' : ''
  const foresee = watchPromise(settings.promisedSeconds, line => stream.write(`${overwrite}${line}`))
  const of = budgetSeconds === null ? `/${rounds}` : ''
  return {
    plan(results) {
      const slowdown = probe()
      const { beforeMs, blockMs } = guessTimes(rows, settings, slowdown)
      const nowMs = performance.now()
      const lengthMs = beforeMs + rounds * blockMs
      endsAtMs = budgetSeconds === null ? nowMs + lengthMs : startedAtMs + budgetSeconds * 1000
      const samples = counted(rows.length, 'sample')
      const fitting = Math.floor((endsAtMs - nowMs - beforeMs) / blockMs)
      const least = looks ? firstLook(rows.length) : 1
      const blocks = budgetSeconds === null ? rounds : Math.max(least, fitting)
      if (looks) endsAtMs = Math.max(endsAtMs, nowMs + beforeMs + least * blockMs)
      stream.write(
        `${samples} a block; ${describeLength(settings, blocks, lengthMs)}; order from seed ${settings.seed}\n`,
      )
      foresee(
        endsAtMs - startedAtMs,
        slowdown > SLOW ? 'other programs use the machine' : 'there are many or long samples',
      )
      if (rows.length > 1) stream.write(`${describePower(rows.length, blocks, settings)}\n`)
      stream.write(`results go to ${resultsFile(results)}\n`)
      if (keepsStacks) return
      stream.write(
        `watch http://127.0.0.1:${livePort}/ once the first sample runs (an open page adds to the total cost, not to the main-thread cost)\n`,
      )
    },
    starting() {
      stream.write(`${counted(rows.length, 'stack')} start, and are kept for the whole run\n`)
    },
    profiling(row) {
      if (stream.isTTY) stream.write(`${overwrite}[spectrum] ${row.name} … ${timeLeft()}`)
    },
    profiled(row, { shares, unattributed, reason, attempts }) {
      const largest = slices.toSorted((a, b) => shares[b] - shares[a]).slice(0, 3)
      const parts = largest.map(slice => `${slice} ${percent(shares[slice])}`)
      const doubt = reason ? `; in doubt after ${attempts} attempts: ${reason}` : ''
      stream.write(
        `${overwrite}[spectrum] ${row.name}: ${parts.join(', ')}, unattributed ${percent(unattributed)}${doubt} · ${timeLeft()}\n`,
      )
    },
    started(row, block) {
      forecast.started()
      if (stream.isTTY) stream.write(`${overwrite}[block ${block}${of}] ${row.name} … ${timeLeft()}`)
    },
    finished(row, sample) {
      if (budgetSeconds === null) endsAtMs = performance.now() + forecast.leftAfter(row, sample)
      const outcome = sample.valid
        ? `${Math.round(sample.mainThreadMicros)} µs on the main thread, ${Math.round(sample.goodput)} good/s${isNoisy(sample) ? ' (noisy)' : ''}`
        : `refused: ${sample.reason}`
      if (verbose || !sample.valid)
        stream.write(`${overwrite}[block ${sample.round}${of}] ${row.name}: ${outcome} · ${timeLeft()}\n`)
      foresee(endsAtMs - startedAtMs, 'the machine is slow, or samples had to be repeated')
    },
    finishedBlock(state) {
      const known = looks ? describeDecided(state, settings) : describeWidest(state, settings)
      const end = stream.isTTY && !verbose ? '' : '\n'
      stream.write(`${overwrite}[block ${state.blocks}${of}] ${known} · ${timeLeft()}${end}`)
    },
  }
}

/** Guesses how long a run takes before its first block, and for each block. */
function guessTimes(rows: readonly Row[], settings: Settings, slowdown: number) {
  const { warmupSeconds, durationSeconds, spectrum, keepsStacks } = settings
  const profilesMs = spectrum ? rows.length * SPECTRUM_MS : 0
  const [warmupMs, windowMs] = [warmupSeconds * 1000, durationSeconds * 1000]
  const plannedBlockMs = rows.reduce((sum, row) => sum + plannedMs(row, settings), 0)
  return keepsStacks
    ? {
        beforeMs: profilesMs + rows.length * (warmupMs + GUESSED_KEPT_MS.start * slowdown),
        blockMs: rows.length * (windowMs + GUESSED_KEPT_MS.sample * slowdown),
      }
    : { beforeMs: profilesMs, blockMs: plannedBlockMs + rows.length * GUESSED_OVERHEAD_MS * slowdown }
}

function describeLength(
  { budgetSeconds, rounds, narrowPercent, looks }: Settings,
  blocks: number,
  lengthMs: number,
) {
  if (budgetSeconds === null) return `${counted(rounds, 'block')}, about ${formatDuration(lengthMs)}`
  const budget = formatDuration(budgetSeconds * 1000)
  if (looks)
    return `about ${counted(blocks, 'block')}, more of the rows that are nearest to a verdict, until ${budget} are spent`
  return `blocks until every ratio is known to ±${narrowPercent} % or ${budget} are spent, at most about ${blocks}`
}

function describePower(rows: number, blocks: number, settings: Settings): string {
  const scatter = settings.keepsStacks ? USUAL_KEPT_SCATTER : USUAL_SCATTER
  const effect = foreseeEffect(rows, blocks, scatter, settings)
  return effect === null
    ? 'too few blocks for a verdict'
    : `with the usual noise, this run can find a change of ${(effect * 100).toFixed(1)} % of the main-thread cost`
}

function describeDecided({ steps }: RunState, settings: Settings): string {
  const pairs = pairsOf(steps, settings.baseline).length
  return `${pairs - listUndecided(steps, settings).length} of ${counted(pairs, 'difference')} decided`
}

/** Says how wide the widest interval is among the ratios that decide when to stop. */
function describeWidest({ steps }: RunState, { baseline, decisive = 'mainThreadMicros' }: Settings): string {
  const widths = steps.flatMap(row => {
    const ci95 = versusBaseline(row, baseline)?.[decisive].ci95
    return ci95 ? [widthOf(ci95)] : []
  })
  if (widths.length === 0) return 'done'
  const noun = decisive === 'goodput' ? 'goodput' : 'main-thread'
  return `${noun} ratios are known to ±${percent(Math.max(...widths), 1)}`
}
