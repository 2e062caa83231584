import { median } from '../statistics/median.ts'
import { type ComparedFigure, comparedFigures, type ValidationCell } from './cells.ts'
import type { ModelError } from './results.ts'

/** The model is meant to be this close, for `share` of the cells. */
export const goal = { goodput: 0.1, p99: 0.25, share: 0.9 } as const

/** The figures of which the model misses the goal in this cell. */
export const missedFigures = ({ compared }: ValidationCell): ComparedFigure[] =>
  comparedFigures.filter(figure => compared && Math.abs(compared.error[figure]) > goal[figure])

/** Whether a cell could be measured, and the model is close to it. */
export const meetsGoal = (cell: ValidationCell): boolean =>
  cell.compared !== null && missedFigures(cell).length === 0

/** A situation of which the error is asked. */
interface Predicted {
  /** The name of the step. */
  readonly name: string
  readonly cores: number
  /** The number of cores on which its costs were measured. */
  readonly costsFrom: number
  readonly isClosed: boolean
}

/**
 * The median errors of the cells that are most like a situation: those on as many cores, with the same kind of load, and
 * of the same step or, if this step was not validated, of all steps. Null if there is no such cell, or if the costs come from
 * another number of cores: those behind a cell do not.
 */
export function findError(
  cells: readonly ValidationCell[],
  { name, cores, costsFrom, isClosed }: Predicted,
): ModelError | null {
  if (costsFrom !== cores) return null
  const alikeButSteps = cells.filter(
    cell => cell.cores === cores && (cell.sharePercent === null) === isClosed,
  )
  const ofStep = alikeButSteps.filter(cell => cell.name === name)
  const alike = (ofStep.length > 0 ? ofStep : alikeButSteps).flatMap(({ compared }) => compared ?? [])
  if (alike.length === 0) return null
  const middle = (figure: ComparedFigure) =>
    median(alike.map(({ error }) => Math.abs(error[figure]))) as number
  return { goodput: middle('goodput'), p99: middle('p99'), cells: alike.length }
}
