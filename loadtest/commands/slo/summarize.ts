import { firstOf } from '../../outcome/summarize.ts'
import type { Row } from '../../sample/rows.ts'
import type { Interval } from '../../statistics/median.ts'
import { judge } from '../../statistics/verdict.ts'
import { findCrossing, findHalfWidth } from './crossing.ts'
import { judgeTrial } from './judge.ts'
import type { RateRatio, SloRow, SloSample } from './results.ts'
import type { Trial } from './search.ts'

/** The finding of the trials of one row. */
export interface Found extends Pick<SloRow, 'finding' | 'ratePerSecond' | 'ci95'> {
  /** Half the width of the interval, on a logarithmic scale. */
  readonly halfWidth: number
}

/** Summarizes the samples that each row has so far. */
export function summarizeSlo(
  rows: readonly Row[],
  samples: ReadonlyMap<Row, readonly SloSample[]>,
  limitMs: number,
): SloRow[] {
  const found = rows.map(row =>
    summarizeTrials(
      (samples.get(row) ?? []).map(sample => judgeTrial(sample, sample.ratePerSecond, limitMs)),
    ),
  )
  return rows.map((row, index) => {
    const { number, name, composition, app, node, didNotRun } = row
    const { halfWidth: _, ...own } = found[index] as Found
    const first = firstOf(row, rows)
    return {
      ...{ number, name, composition },
      ...(app && { app }),
      ...(node && { node }),
      ...(didNotRun !== undefined && { didNotRun }),
      ...own,
      versusFirst:
        first === undefined || first === row
          ? null
          : compareRates(found[index] as Found, found[rows.indexOf(first)] as Found),
      samples: samples.get(row) ?? [],
    }
  })
}

/** The highest rate that holds, or the reason why there is none. */
export function summarizeTrials(trials: readonly Trial[]): Found {
  const ratesOf = (wanted: Trial['outcome']) =>
    trials.filter(({ outcome }) => outcome === wanted).map(({ ratePerSecond }) => ratePerSecond)
  const [held, failed] = [ratesOf('holds'), ratesOf('fails')]
  const without = { ci95: null, halfWidth: Number.POSITIVE_INFINITY }
  if (held.length === 0 && failed.length === 0) return { ...without, finding: 'nothing', ratePerSecond: null }
  if (held.length === 0) return { ...without, finding: 'never', ratePerSecond: Math.min(...failed) }
  const crossing = findCrossing(trials)
  if (failed.length === 0 || !Number.isFinite(crossing))
    return { ...without, finding: 'always', ratePerSecond: Math.max(...held) }
  if (crossing === 0) return { ...without, finding: 'never', ratePerSecond: Math.min(...failed) }
  const halfWidth = findHalfWidth(trials)
  return { finding: 'found', ratePerSecond: crossing, halfWidth, ci95: intervalAround(crossing, halfWidth) }
}

function compareRates(own: Found, first: Found): RateRatio | null {
  if (own.finding !== 'found' || first.finding !== 'found') return null
  const ratio = (own.ratePerSecond as number) / (first.ratePerSecond as number)
  const ci95 = intervalAround(ratio, Math.hypot(own.halfWidth, first.halfWidth))
  return { ratio, ci95, verdict: judge(ci95, 'higher') }
}

const intervalAround = (value: number, halfWidth: number): Interval | null =>
  Number.isFinite(halfWidth) ? [value * Math.exp(-halfWidth), value * Math.exp(halfWidth)] : null
