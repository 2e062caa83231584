import { appOptions } from '../../app/config.ts'
import { toCosts, type UsedDemand } from './demands.ts'
import { pathOf, type RequestPath } from './path.ts'
import type { MeasuredLoad, MeasuredStep, ModelInput } from './read-demands.ts'
import type { FittedFigures } from './results.ts'
import { type Apart, type Prediction, type SimulatedWindow, simulate } from './simulate.ts'
import type { SimulatedLoad } from './simulation/clients.ts'

/** The run, and the figures that are fitted to it. */
export interface Model {
  readonly input: ModelInput
  readonly fitted: FittedFigures
  readonly steps: readonly ModelledStep[]
}

/** A step whose demands are known by the use of its parts. */
export interface ModelledStep extends MeasuredStep {
  readonly demands: readonly UsedDemand[]
}

/** The machine and the load for which a step is predicted. */
export interface Situation extends SimulatedLoad {
  readonly cores: number
  readonly apart: Apart
  readonly instances: number
  readonly threads: number
  readonly window: SimulatedWindow
  readonly stealShare: number
}

/** The prediction for a step. It is a model, not a measurement. */
export const predict = (
  { input: { scenario }, fitted }: Pick<Model, 'input' | 'fitted'>,
  { composition, demands }: Pick<ModelledStep, 'composition' | 'demands'>,
  situation: Situation,
): Prediction =>
  simulate({
    ...situation,
    path: pathOf(scenario, composition) as RequestPath,
    costs: toCosts(demands, situation.load.kind === 'closed'),
    workerPriority: Number(appOptions.workerPriority.default),
    ...fitted,
  })

/** The situation in which the run measured. */
export const situationOf = (
  { cores, apart, threads, connections }: ModelInput,
  { load, window, stealShare }: Pick<MeasuredLoad, 'load' | 'window' | 'stealShare'>,
): Situation => ({ cores, apart, threads, connections, load, window, stealShare, instances: 1 })
