import type { Load } from '../generator/protocol.ts'
import { median } from '../statistics/median.ts'
import type { ModelError, ValidationCell } from './results.ts'

/** The model is meant to be this close, for {@link GOAL_SHARE} of the cells. */
export const goal = { goodput: 0.1, p99: 0.25, share: 0.9 } as const

/** By which share the prediction is above the measurement; negative if it is below. */
export const errorsOf = ({ measured, predicted }: ValidationCell) => ({
  goodput: predicted.goodput / measured.goodput - 1,
  p99: predicted.latencyMs.p99 / measured.latencyMs.p99 - 1,
})

export function meetsGoal(cell: ValidationCell): boolean {
  const { goodput, p99 } = errorsOf(cell)
  return Math.abs(goodput) <= goal.goodput && Math.abs(p99) <= goal.p99
}

/** A situation of which the error is asked. */
interface Predicted {
  /** The name of the step. */
  readonly name: string
  readonly cores: number
  readonly loadKind: Load['kind']
}

/**
 * The median errors of the cells that are most like a situation: those on as many cores, with the same kind of load, and
 * of the same step or, if this step was not validated, of all steps. Null if there is no such cell.
 */
export function findError(
  cells: readonly ValidationCell[],
  { name, cores, loadKind }: Predicted,
): ModelError | null {
  const alikeButSteps = cells.filter(
    cell => cell.valid && cell.cores === cores && cell.load.kind === loadKind,
  )
  const ofStep = alikeButSteps.filter(cell => cell.name === name)
  const alike = ofStep.length > 0 ? ofStep : alikeButSteps
  if (alike.length === 0) return null
  const middle = (which: 'goodput' | 'p99') =>
    median(alike.map(cell => Math.abs(errorsOf(cell)[which]))) as number
  return { goodput: middle('goodput'), p99: middle('p99'), cells: alike.length }
}
