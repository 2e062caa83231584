import { concerns } from '../../app/concerns.ts'
import { findStep, firstStep, type Step } from '../../app/steps.ts'
import { type Branch, checkOut } from './branches.ts'
import { type Row, rowOf } from './rows.ts'

/** A step, and the same step with one concern at a time put back to its implementation in the first step. */
export const ablated = (step: Step): Row[] => [
  rowOf(step, {}),
  ...concerns
    .filter(concern => step.composition[concern] !== firstStep.composition[concern])
    .map(concern => rowOf(step, { [concern]: firstStep.composition[concern] })),
]

/**
 * The rows, and the app of each branch: that of a step behind them, as this step; that of any other branch or commit beside each
 * row. A row is compared with the first branch, and other branches are compared with the row.
 */
export function withBranches(
  rows: readonly Row[],
  names: readonly string[],
  find: (name: string) => Branch = checkOut,
): Row[] {
  const ofBranch = (row: Row, name: string): Row => {
    const rowName = `${row.name}+branch=${name}`
    return { ...row, number: null, name: rowName, branch: find(name), baseline: rowName }
  }
  return names.flatMap((name, index) => {
    const step = stepOfBranch(name)
    const own = index === 0 ? rows : []
    if (step) return [...own, { ...ofBranch(rowOf(step, {}), name), baseline: rows[0]?.name as string }]
    return rows.flatMap(row => {
      const other = ofBranch(row, name)
      return index === 0 ? [other, { ...row, baseline: other.name }] : [{ ...other, baseline: row.name }]
    })
  })
}

/** The step of a branch such as `step-3-framework`; undefined for any other branch. */
export const stepOfBranch = (name: string): Step | undefined => findStep(/^step-(\d+)-/.exec(name)?.[1] ?? '')

/** A row twice: a difference between the two is chance. */
export const twice = (row: Row): Row[] => [row, { ...row, name: `${row.name} again` }]

/** A row, and the same row with a main thread that uses this much more CPU time. */
export const handicapped = (row: Row, handicapPercent: number): Row[] => [
  row,
  {
    ...row,
    number: null,
    name: `${row.name}+handicap=${handicapPercent}%`,
    app: { ...row.app, handicapPercent },
  },
]
