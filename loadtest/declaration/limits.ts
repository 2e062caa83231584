import { percent } from '../outcome/format.ts'
import type { Results } from '../outcome/results.ts'
import { pairsOf } from '../outcome/summarize.ts'
import { widthOf } from '../statistics/stopping-rule.ts'
import { NARROW } from '../statistics/thresholds.ts'

export const LIMITS_HEADING = 'What limited this run'

/** A run is not advised to take longer if it would need more than this many times as many blocks. */
const MOST_TIMES = 30

/** Says how far the main-thread ratios of a run are known, and what would help; null for a single row. */
export function describeLimit({ steps, settings }: Results): string | null {
  const pairs = pairsOf(steps, settings.baseline)
  if (pairs.length === 0) return null
  const widths = pairs.flatMap(({ comparison }) => {
    const { ci95 } = comparison.mainThreadMicros
    return ci95 ? [widthOf(ci95)] : []
  })
  const open = pairs.filter(({ comparison }) => comparison.mainThreadMicros.verdict === 'inconclusive').length
  const verdicts =
    open === 0
      ? 'This run decides each main-thread ratio'
      : `This run cannot tell ${open} of ${pairs.length} main-thread ratios`
  if (widths.length < pairs.length) return `${verdicts}: there are too few blocks of samples.`
  const widest = Math.max(...widths)
  const known = `${verdicts}; the widest is known to ±${percent(widest, 1)}`
  if (widest <= NARROW || open === 0) return `${known}.`
  if (settings.keepsStacks)
    return `${known}. Each stack was started once, and starts differ: leave out --quick for narrower intervals.`
  const times = Math.ceil((widest / NARROW) ** 2)
  return times > MOST_TIMES
    ? `${known}. That is too noisy for ±${percent(NARROW, 1)}, however long a run is.`
    : `${known}. On a machine like this, ±${percent(NARROW, 1)} takes about ${times} times as many blocks (--budget).`
}
