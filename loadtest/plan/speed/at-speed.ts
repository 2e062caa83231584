import { mean } from '../../statistics/mean.ts'
import { forEachPart, isApart } from '../demands.ts'
import type { ModelledStep } from '../model.ts'
import type { WorkMicros } from './speedometer.ts'

/** The cores that the app and its sidecars are kept on; null when all processes share all cores. */
type Pinned = readonly number[] | null

/**
 * A stack becomes slower by about the square root of what constant work does, which stays in the caches and hardly enters the
 * kernel: over 144 samples of steps 0, 1, 5 and 6, the logarithm of the CPU time for a response grew by 0.43 times the
 * logarithm of that of constant work (0.60, 0.36 and 0.34 in the three blocks).
 */
const STACK_FOLLOWS = 0.5

/**
 * The step as it would have been measured on cores as fast as those of another sample.
 * @param measured the speed of all cores in the sample of each demand
 * @param now the speed of all cores in the other sample
 */
export function atSpeed(
  step: ModelledStep,
  measured: readonly WorkMicros[],
  now: WorkMicros,
  pinned: Pinned,
): ModelledStep {
  const own = meanOfApp(now, pinned)
  const others = meanOf(now, core => !pinned?.includes(core))
  return {
    ...step,
    demands: step.demands.map((demand, index) => {
      const then = meanOf(measured[index] as WorkMicros)
      return {
        ...demand,
        micros: forEachPart(
          part => demand.micros[part] * ((isApart(part) ? others : own) / then) ** STACK_FOLLOWS,
        ),
      }
    }),
  }
}

/** How many times the CPU time of constant work on the cores of the app is what it was in the samples of the costs. */
export const slowdownOf = (measured: readonly WorkMicros[], now: WorkMicros, pinned: Pinned): number =>
  meanOfApp(now, pinned) / mean(measured.map(work => meanOf(work)))

/** The mean of the cores that the app runs on. */
const meanOfApp = (work: WorkMicros, pinned: Pinned): number =>
  meanOf(work, core => pinned?.includes(core) ?? true)

const meanOf = (work: WorkMicros, isMeant: (core: number) => boolean = () => true): number =>
  mean([...work].filter(([core]) => isMeant(core)).map(([, micros]) => micros))
