import { niceMax } from '../../../apm-agent/live/page/axes.ts'
import { isMeasured, type Metric } from '../metrics.ts'
import type { Second } from '../protocol.ts'

/** A scale ends this much above the step with the highest values. */
const ROOM = 1.1
const RANK = 0.9

/**
 * The end of the scale, the same for all steps. A few spikes do not change it: it is made of the value that nine of ten
 * seconds of the highest step stay below.
 */
export function topOf({ max, of }: Metric, seconds: readonly Second[]): number {
  if (max !== undefined) return max
  const bySteps = new Map<number, number[]>()
  for (const second of seconds) {
    const value = isMeasured(second) ? of([second]) : null
    if (value === null || !second.isWarm) continue
    bySteps.set(second.step, [...(bySteps.get(second.step) ?? []), value])
  }
  const usual = [...bySteps.values()].map(values => {
    const sorted = values.toSorted((one, other) => one - other)
    return sorted[Math.ceil(sorted.length * RANK) - 1] as number
  })
  return niceMax(Math.max(1, ...usual) * ROOM)
}
