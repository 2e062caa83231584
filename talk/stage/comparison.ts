import { median } from '../../loadtest/statistics/median.ts'
import { unpairedRatio } from '../../loadtest/statistics/ratio.ts'
import { LEAST_VALUES } from '../../loadtest/statistics/thresholds.ts'
import type { Comparison, Second } from './protocol.ts'

/** Seconds of a block. Neighbouring seconds are alike, so blocks of some seconds vary more nearly as they should. */
const BLOCK_SECONDS = 2

type Measured = Second & { readonly cpuMicros: number; readonly utilization: number }

/** Compares each step that has been shown with the step before it, by the statistics of the load test. */
export function compareSteps(steps: readonly number[], seconds: readonly Second[]): Comparison[] {
  const shown = steps.map(step => ({ step, seconds: seconds.filter(second => counts(second, step)) }))
  return shown.map(({ step, seconds: own }, index) => {
    const costs = blocksOf(own)
    const before = blocksOf(shown[index - 1]?.seconds ?? [])
    // The ratio says how many times as much the step before costs, so a higher one is better.
    const { ratio, ci95, verdict } = unpairedRatio(before, costs, 'higher')
    return {
      step,
      blocks: costs.length,
      costMicros: median(own.filter(({ good }) => good > 0).map(({ cpuMicros, good }) => cpuMicros / good)),
      goodput: median(own.map(({ good, durationMs }) => (good / durationMs) * 1000)),
      p50Ms: median(own.flatMap(({ p50Ms }) => p50Ms ?? [])),
      utilization: median(own.map(({ utilization }) => utilization)),
      ratio,
      ci95,
      verdict,
      drift: driftOf(costs),
    }
  })
}

const counts = (second: Second, step: number): second is Measured =>
  second.step === step && second.isWarm && second.cpuMicros !== null && second.utilization !== null

/** The main-thread cost of each block of consecutive seconds, in microseconds a good answer. */
function blocksOf(seconds: readonly Measured[]): number[] {
  const blocks: number[] = []
  for (let at = 0; at + BLOCK_SECONDS <= seconds.length; at += BLOCK_SECONDS) {
    const block = seconds.slice(at, at + BLOCK_SECONDS)
    const good = block.reduce((sum, second) => sum + second.good, 0)
    if (good > 0) blocks.push(block.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / good)
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
