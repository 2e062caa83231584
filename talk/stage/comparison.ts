import { record } from '../../lib/record.ts'
import { median } from '../../loadtest/statistics/median.ts'
import { unpairedRatio } from '../../loadtest/statistics/ratio.ts'
import { LEAST_VALUES } from '../../loadtest/statistics/thresholds.ts'
import { isMeasured, type Measured, metricIds, metrics } from '../../screen/metrics.ts'
import type { Change, Comparison, MetricId, NowAndBefore, Second } from '../../screen/stage-messages.ts'

/** Seconds of a block. Neighbouring seconds are alike, so blocks of some seconds vary more nearly as they should. */
const BLOCK_SECONDS = 2

/** Compares each step that has been shown with the step before it, by the statistics of the load test. */
export function compareSteps(steps: readonly number[], seconds: readonly Second[]): Comparison[] {
  const shown = steps.map(step => secondsOf(step, seconds))
  return steps.map((step, index) => {
    const own = shown[index] as Measured[]
    const costs = blocksOf('cost', own)
    return {
      step,
      blocks: costs.length,
      medians: record(metricIds, id => median(own.flatMap(second => metrics[id].of([second]) ?? []))),
      cost: compare('cost', own, shown[index - 1] ?? []),
      drift: driftOf(costs),
    }
  })
}

/** Compares all figures of the step that is shown with those of the step that was shown before it; null without one. */
export function compareWithBefore(step: number, seconds: readonly Second[]): NowAndBefore | null {
  const before = seconds.findLast(second => second.step !== step && second.isWarm)?.step
  if (before === undefined) return null
  const [own, others] = [secondsOf(step, seconds), secondsOf(before, seconds)]
  return { before, changes: record(metricIds, id => compare(id, own, others)) }
}

const secondsOf = (step: number, seconds: readonly Second[]): Measured[] =>
  seconds.filter(second => second.step === step && second.isWarm).filter(isMeasured)

function compare(id: MetricId, own: readonly Measured[], others: readonly Measured[]): Change {
  const better = metrics[id].isLowerBetter ? 'lower' : 'higher'
  const { ratio, ci95, verdict } = unpairedRatio(blocksOf(id, own), blocksOf(id, others), better)
  return { ratio, ci95, verdict }
}

/** The value of each block of consecutive seconds. */
function blocksOf(id: MetricId, seconds: readonly Measured[]): number[] {
  const blocks: number[] = []
  for (let at = 0; at + BLOCK_SECONDS <= seconds.length; at += BLOCK_SECONDS) {
    const value = metrics[id].of(seconds.slice(at, at + BLOCK_SECONDS))
    if (value !== null && value > 0) blocks.push(value)
  }
  return blocks
}

/** Whether the cost changes while the step is shown, as it does when code is still being compiled or neighbours come. */
function driftOf(costs: readonly number[]): number | null {
  if (costs.length < 2 * LEAST_VALUES) return null
  const middle = costs.length >> 1
  const { ratio, verdict } = unpairedRatio(costs.slice(middle), costs.slice(0, middle), 'lower')
  return ratio !== null && (verdict === 'faster' || verdict === 'slower') ? ratio - 1 : null
}
