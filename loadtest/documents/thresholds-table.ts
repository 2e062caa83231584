import { renderMarkdownTable } from '../../lib/markdown.ts'
import { MAX_REPETITIONS } from '../run/repetitions.ts'
import { validityLimits } from '../sample/validity.ts'
import { MAX_UNATTRIBUTED } from '../spectrum/take-spectrum.ts'
import { medianInterval } from '../statistics/median.ts'
import { nextCheck } from '../statistics/stopping-rule.ts'
import {
  BOOTSTRAP_CONFIDENCE,
  COVERAGE,
  EQUIVALENCE,
  FIRST_CHECK_BLOCKS,
  LEAST_FOR_OUTLIERS,
  LEAST_VALUES,
  MILD_OUTLIER,
  NARROW_PERCENT,
  NOISY_WAIT,
  POWER,
  REFUSED_OTHERS,
  REFUSED_WAIT,
  RESAMPLES,
  SEVERE_OUTLIER,
} from '../statistics/thresholds.ts'

const { openGeneratorUtilization, closedGeneratorUtilization, latenessMs } = validityLimits

const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`

const thresholds: readonly (readonly [name: string, value: string])[] = [
  [
    'a sample is refused when the generator of an open loop is busy for more than',
    percent(openGeneratorUtilization),
  ],
  ['… when the generator of a closed loop is busy for more than', percent(closedGeneratorUtilization)],
  ['… when 1 of 100 requests of an open loop is late by more than', `${latenessMs} ms`],
  [
    '… when neighbours made the main thread wait, for each ms that it ran, for more than (not with `--accept-noise`)',
    `${REFUSED_WAIT} ms`,
  ],
  [
    '… where waiting is not known, when other processes have taken more of the CPU time than',
    percent(REFUSED_OTHERS),
  ],
  ['a sample is noisy when that waiting is longer than', `${NOISY_WAIT} ms`],
  ['a refused sample is taken again, at most', `${MAX_REPETITIONS} times`],
  ['a profile is in doubt when it leaves more unattributed than', percent(MAX_UNATTRIBUTED)],
  ['a 95 % interval contains the true value in at least', `${percent(COVERAGE)} of runs`],
  ['the bootstrap takes its intervals at', percent(BOOTSTRAP_CONFIDENCE)],
  ['… from', `${RESAMPLES} resamples`],
  ['the interval of a ratio needs', `${LEAST_VALUES} blocks`],
  ['the interval of a median needs', `${leastForMedian()} samples`],
  ['a ratio is `equivalent` when its interval lies within', `±${percent(EQUIVALENCE)} of 1`],
  ['a change of the smallest detectable size is found in', `${percent(POWER)} of runs`],
  ['a run with a budget checks its intervals after', `${firstChecks(5).join(', ')}, … blocks`],
  ['… and stops when each ratio is known to (`--narrow`)', `±${NARROW_PERCENT} %`],
  ['an outlier lies beyond the quartiles by this many times their distance: `mild`', `${MILD_OUTLIER}`],
  ['… `severe`', `${SEVERE_OUTLIER}`],
  ['outliers are labelled among at least', `${LEAST_FOR_OUTLIERS} samples`],
]

/** All thresholds of the statistics as a Markdown table. */
export const renderThresholds = (): string =>
  renderMarkdownTable(thresholds, [
    { title: 'threshold', cell: ([name]) => name },
    { title: 'value', cell: ([, value]) => value },
  ])

function firstChecks(count: number): number[] {
  const checks = [FIRST_CHECK_BLOCKS]
  while (checks.length < count) checks.push(nextCheck(checks.at(-1) as number))
  return checks
}

function leastForMedian(): number {
  for (let count = 1; ; count++)
    if (medianInterval(Array.from({ length: count }, Number)) !== null) return count
}
