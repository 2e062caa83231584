import { percent } from '../outcome/format.ts'
import type { Results } from '../outcome/results.ts'
import { type Pair, pairsOf } from '../outcome/summarize.ts'
import type { MachineUse } from '../sample/machine.ts'
import { median } from '../statistics/median.ts'
import { widthOf } from '../statistics/stopping-rule.ts'
import {
  LIMITING_FREQUENCY,
  LIMITING_OTHERS,
  LIMITING_STEAL,
  NARROW_PERCENT,
} from '../statistics/thresholds.ts'

export const LIMITS_HEADING = 'What limited this run'

/** A run is not advised to take longer if it would need more than this many times as many blocks. */
const MOST_TIMES = 30

/**
 * Says how far the main-thread ratios of a run are known, what disturbed them, and what would help. Empty for a single row, and for
 * results of versions that did not record constant work.
 */
export function describeLimits(results: Results): string[] {
  const { steps, settings } = results
  const pairs = pairsOf(steps, settings.baseline)
  const samples = steps.flatMap(row => row.samples).filter(({ valid }) => valid)
  if (pairs.length === 0 || !samples.some(({ constantMicros }) => constantMicros)) return []
  const machines = samples.flatMap(({ machine }) => machine ?? [])
  return [describeWidth(pairs, results), ...describeMachine(machines)]
}

function describeWidth(pairs: readonly Pair[], { settings }: Results): string {
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
  const narrow = (settings.narrowPercent ?? NARROW_PERCENT) / 100
  const known = `${verdicts}; the widest is known to ±${percent(widest, 1)}`
  if (widest <= narrow || open === 0) return `${known}.`
  if (settings.keepsStacks)
    return `${known}. Each stack was started once, and starts differ: leave out --quick for narrower intervals.`
  const times = Math.ceil((widest / narrow) ** 2)
  return times > MOST_TIMES
    ? `${known}. That is too noisy for ±${percent(narrow, 1)}, however long a run is.`
    : `${known}. On a machine like this, ±${percent(narrow, 1)} takes about ${times} times as many blocks (--budget).`
}

function describeMachine(machines: readonly MachineUse[]): string[] {
  const middle = (of: (machine: MachineUse) => number) => median(machines.map(of)) ?? 0
  const [steal, others] = [middle(({ stealShare }) => stealShare), middle(({ othersShare }) => othersShare)]
  const frequencies = machines.flatMap(({ frequencyMhz }) => frequencyMhz ?? [])
  const [slowest, fastest] = [Math.min(...frequencies), Math.max(...frequencies)]
  const found = [
    steal > LIMITING_STEAL &&
      `The host took ${percent(steal, 1)} of the CPU time (steal): another hour or another host would help.`,
    others > LIMITING_OTHERS &&
      `Other programs used ${percent(others)} of the CPU time: close them, or measure at a calmer time.`,
    slowest < fastest * (1 - LIMITING_FREQUENCY) &&
      `The cores ran at ${slowest.toFixed(0)} to ${fastest.toFixed(0)} MHz: a fixed frequency would help (governor "performance", no turbo).`,
  ].filter(sentence => sentence !== false)
  return found.length > 0
    ? found
    : ['In most samples, neither the host nor other programs took much CPU time.']
}
