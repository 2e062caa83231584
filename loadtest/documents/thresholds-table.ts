import { renderMarkdownTable } from '../../lib/cli/markdown.ts'
import { MAX_REPETITIONS } from '../run/repetitions.ts'
import { validityLimits } from '../sample/validity.ts'
import { MAX_UNATTRIBUTED } from '../spectrum/take-spectrum.ts'
import { medianInterval } from '../statistics/median.ts'
import { nextCheck } from '../statistics/stopping-rule.ts'
import {
  BOOTSTRAP_CONFIDENCE,
  COVERAGE,
  DEPENDENCE_CONFIDENCE,
  EQUIVALENCE,
  FEW_CONFIDENCE,
  FIRST_CHECK_BLOCKS,
  LEAST_DEGREES,
  LEAST_FOR_OUTLIERS,
  LEAST_VALUES,
  LIMITING_FREQUENCY,
  LIMITING_OTHERS,
  LIMITING_STEAL,
  MILD_OUTLIER,
  MOST_CONFIDENCE,
  NARROW_PERCENT,
  NOISY_WAIT,
  POWER,
  QUICK_ERROR,
  REFUSED_OTHERS,
  REFUSED_WAIT,
  RESAMPLES,
  SEVERE_OUTLIER,
  SLOPE_CONFIDENCE,
  START_SCATTER,
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
  ["… and no wider than Student's t at", percent(MOST_CONFIDENCE)],
  ['… for the ratio of two rows from at least', `${LEAST_VALUES} blocks`],
  ['fewer blocks have intervals, with the scatter of all rows, at', percent(FEW_CONFIDENCE)],
  ['… if all rows together have degrees of freedom, at least', `${LEAST_DEGREES}`],
  ['all looks of a run with `--quick` together are planned to be wrong in at most', percent(QUICK_ERROR)],
  ['… and where stacks are started once, their starts are assumed to scatter by', percent(START_SCATTER)],
  [
    'a covariate adjusts ratios if its slope is above 0 with a confidence (of both sides) of',
    percent(SLOPE_CONFIDENCE),
  ],
  ['… and if it does not differ between the two rows with a confidence of', percent(DEPENDENCE_CONFIDENCE)],
  ['the interval of a median needs', `${leastForMedian()} samples`],
  ['a ratio is `equivalent` when its interval lies within', `±${percent(EQUIVALENCE)} of 1`],
  ['a change of the smallest detectable size is found in', `${percent(POWER)} of runs`],
  ['a run with a budget checks its intervals after', `${firstChecks(5).join(', ')}, … blocks`],
  ['… and stops when each ratio is known to (`--narrow`)', `±${NARROW_PERCENT} %`],
  ['a run says that steal limited it from this share of the CPU time on', percent(LIMITING_STEAL)],
  ['… that other programs did, from', percent(LIMITING_OTHERS)],
  ['… that the frequency of the cores did, if the slowest sample had less by', percent(LIMITING_FREQUENCY)],
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
