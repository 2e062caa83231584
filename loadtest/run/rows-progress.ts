import { performance } from 'node:perf_hooks'
import { counted, percent } from '../outcome/format.ts'
import { isNoisy } from '../outcome/noisy.ts'
import type { PlannedRun, Results, RowResult, Settings } from '../outcome/results.ts'
import { pairsOf, versusBaseline } from '../outcome/summarize.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { widthOf } from '../statistics/looks.ts'
import type { Telling } from './measure.ts'
import { createProgress } from './progress.ts'
import { listUndecided } from './stopping.ts'

export interface RowsProgress extends Telling<Row, Sample, Results> {
  /** Tells that the stacks that are kept start. */
  starting(): void
  profiling(row: Row): void
}

export function createRowsProgress(
  { rows, settings, startedAtMs = performance.now(), verbose = false }: PlannedRun,
  livePort: number,
  stream: NodeJS.WriteStream = process.stderr,
): RowsProgress {
  const { budgetSeconds, rounds, seed, looks, keepsStacks } = settings
  const isBrief = looks && !verbose
  const { say, showOnTerminal, timeLeft, ...progress } = createProgress<Row, Sample>({
    ...{ rows, seed, verbose, isBrief, startedAtMs, stream },
    rounds: budgetSeconds === null ? rounds : undefined,
    budgetMs: (budgetSeconds ?? 0) * 1000,
    nameOf: ({ name }) => name,
    outcomeOf: sample =>
      `${Math.round(sample.mainThreadMicros)} µs on the main thread, ${Math.round(sample.goodput)} good/s${isNoisy(sample) ? ' (noisy)' : ''}`,
  })
  return {
    ...progress,
    plan(results) {
      progress.plan(results)
      // Stacks that stand side by side have live pages at other ports.
      if (keepsStacks || settings.turns) return
      say(
        `watch http://127.0.0.1:${livePort}/ once the first sample runs (an open page adds to the total cost, not to the main-thread cost)`,
      )
    },
    starting() {
      const line = `${counted(rows.length, 'stack')} start${timeLeft()}`
      if (stream.isTTY) showOnTerminal(line)
      else say(line)
    },
    profiling: row => showOnTerminal(`[spectrum] ${row.name} …${timeLeft()}`),
  }
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
