import { type Composition, type Concern, concerns, namesOf, stepOf } from './concerns.ts'

/** The name of a step: the concern that it moves, or `monolith` for step 0. */
export type StepName = 'monolith' | Concern

export interface Step {
  /** The place of the step on the ladder, from 0. */
  readonly number: number
  /**
   * The name of the concern that the step moves; `monolith` for step 0, in which all concerns are on the main thread.
   */
  readonly name: StepName
  readonly composition: Composition
}

/** The implementations that belong to steps, in the order of the steps. */
const moves = concerns
  .flatMap(concern =>
    (namesOf(concern) as string[]).flatMap(name => {
      const number = stepOf(concern, name)
      return number === undefined ? [] : [{ concern, name, number }]
    }),
  )
  .sort((one, other) => one.number - other.number)

/**
 * All steps in their order, derived from the numbers in `concerns.ts`. On the branch of a step that file has only the
 * implementations of this step, so no other step is complete.
 */
export const steps: readonly Step[] = moves
  .filter(({ number }, index) => number !== moves[index - 1]?.number)
  .flatMap(({ number, concern }) => {
    const composition = composeStep(number)
    return composition ? [{ number, name: number === 0 ? 'monolith' : concern, composition }] : []
  })

/**
 * The composition of a step; undefined if the table lacks an implementation for a concern, as on the branch of a later step.
 */
function composeStep(number: number): Composition | undefined {
  const made = moves.filter(move => move.number <= number)
  // If a concern moves twice, the later move overwrites the earlier one.
  const composition = Object.fromEntries(made.map(({ concern, name }) => [concern, name]))
  return concerns.every(concern => concern in composition) ? (composition as Composition) : undefined
}

export function findStepNumber(composition: Composition): number | null {
  return steps.find(step => differencesFrom(step, composition).length === 0)?.number ?? null
}

export const findStep = (text: string): Step | undefined =>
  steps.find(({ number, name }) => text === name || text === String(number))

/** The numbers and names of all steps, for messages. */
export const listedSteps = steps.map(({ number, name }) => `${number} ${name}`).join(', ')

/**
 * Names a composition by its step, such as `apm`. A composition that is not a step is named by its differences from the
 * nearest one: `step 5, compute: inline`.
 */
export function nameComposition(composition: Composition): string {
  const fewest = Math.min(...steps.map(step => differencesFrom(step, composition).length))
  const nearest = steps.findLast(step => differencesFrom(step, composition).length === fewest) as Step
  if (fewest === 0) return nearest.name
  const changes = differencesFrom(nearest, composition).map(concern => `${concern}: ${composition[concern]}`)
  return `step ${nearest.number}, ${changes.join(', ')}`
}

const differencesFrom = (step: Step, composition: Composition): Concern[] =>
  concerns.filter(concern => step.composition[concern] !== composition[concern])

if (steps.length === 0) {
  const missing = concerns.filter(concern => !moves.some(move => move.concern === concern))
  throw new Error(`no step is complete: ${missing.join(', ')} needs an implementation with since(0, …)`)
}

export const stepNames: readonly string[] = steps.map(({ name }) => name)
export const firstStep = steps[0] as Step
export const lastStep = steps.at(-1) as Step
