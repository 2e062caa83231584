import { median } from '../statistics/median.ts'
import { type DemandAtLoad, forEachPart } from './demands.ts'
import { type Model, type ModelledStep, predict, situationOf } from './model.ts'
import type { MeasuredLoad, MeasuredStep, ModelInput } from './read-demands.ts'
import type { FittedFigures } from './results.ts'
import type { Prediction } from './simulate.ts'

/** Runs of this project on a quiet machine have about this. */
const USUAL_VARIATION = 0.8

/** Makes the model of a run: fits the figures that the run does not contain. */
export function fitModel(input: ModelInput): Model {
  const usual = { wakeMicros: 0, variation: USUAL_VARIATION }
  const steps = input.steps.map(step => findUse(input, step, usual))
  const wakeMicros = median(steps.flatMap(step => fitWake(input, step, usual))) ?? 0
  return { input, fitted: fitVariation(input, steps, { ...usual, wakeMicros }), steps }
}

const NO_USE = forEachPart(() => ({ wakeups: 0, heat: 0 }))

/** Simulates each measured load with the costs that were measured at it, and so finds how it uses the parts. */
function findUse(input: ModelInput, step: MeasuredStep, fitted: FittedFigures): ModelledStep {
  const { composition, loads } = step
  const useOf = (demand: DemandAtLoad, load: MeasuredLoad) =>
    repeat(input, { composition, demands: [{ ...demand, use: NO_USE }] }, load, fitted).use
  return {
    ...step,
    demands: step.demands.map((demand, index) => ({
      ...demand,
      use: useOf(demand, loads[index] as MeasuredLoad),
    })),
  }
}

/** Simulates what the run has measured. */
function repeat(
  input: ModelInput,
  step: Pick<ModelledStep, 'composition' | 'demands'>,
  load: MeasuredLoad,
  fitted: FittedFigures,
): Prediction {
  return predict({ input, fitted }, step, situationOf(input, load))
}

/** The open loops of a step, the lowest rate first. */
const openLoads = ({ loads }: MeasuredStep): MeasuredLoad[] =>
  loads.filter(({ load }) => load.kind === 'open').toSorted((one, other) => one.goodput - other.goodput)

const PROBE_MICROS = 50
const MOST_WAKE_MICROS = 300

/** p50 at a low rate grows by the same amount with each microsecond of a wake-up. Empty without an open loop. */
function fitWake(input: ModelInput, step: ModelledStep, usual: FittedFigures): number[] {
  const [lowest] = openLoads(step)
  if (!lowest) return []
  const p50With = (wakeMicros: number) => repeat(input, step, lowest, { ...usual, wakeMicros }).latencyMs.p50
  const without = p50With(0)
  const grows = (p50With(PROBE_MICROS) - without) / PROBE_MICROS
  return [Math.min(MOST_WAKE_MICROS, Math.max(0, (lowest.p50Ms - without) / grows))]
}

/** Few measured p99 are behind the fit, and one that was disturbed would lead far from the usual variation. */
const VARIATIONS_TRIED = [0.4, 0.6, USUAL_VARIATION, 1, 1.2]

/** Finds the variation with the least error of p99 at the loads of the first and the last step. */
function fitVariation(
  input: ModelInput,
  steps: readonly ModelledStep[],
  usual: FittedFigures,
): FittedFigures {
  const ends = [...new Set([steps[0], steps.at(-1)])].filter(step => step !== undefined)
  const tried = VARIATIONS_TRIED.map(variation => ({ ...usual, variation }))
  return findLeastError(tried, fitted =>
    ends.reduce((sum, step) => sum + errorOfP99(step.loads, load => repeat(input, step, load, fitted)), 0),
  )
}

/** The sum of the errors of p99, as logarithms. */
const errorOfP99 = (
  loads: readonly MeasuredLoad[],
  predictLoad: (load: MeasuredLoad) => Prediction,
): number =>
  loads.reduce((sum, load) => sum + Math.abs(Math.log(predictLoad(load).latencyMs.p99 / load.p99Ms)), 0)

function findLeastError<Candidate>(
  candidates: readonly Candidate[],
  errorOf: (candidate: Candidate) => number,
): Candidate {
  const errors = candidates.map(errorOf)
  return candidates[errors.indexOf(Math.min(...errors))] as Candidate
}
