import { findStep, listedSteps, type Step, steps } from '../../app/steps.ts'
import { UserError } from '../../lib/cli/user-error.ts'

/** Selects the steps of a list such as `0-2,framework`; every step when there is no list. */
export function parseSteps(list: string | undefined): readonly Step[] {
  if (list === undefined) return steps
  const found = list.split(',').flatMap(item => {
    const ends = item.split('-')
    if (ends.length === 1) return [stepOf(item)]
    if (ends.length > 2) throw new UserError(`--steps takes ranges such as 0-2, received "${item}"`)
    const [first, last] = ends.map(stepOf) as [Step, Step]
    if (first.number > last.number) throw new UserError(`--steps counts upwards, received "${item}"`)
    return steps.filter(({ number }) => number >= first.number && number <= last.number)
  })
  return [...new Set(found)]
}

/** @throws UserError when there is no such step */
export function stepOf(text: string): Step {
  const found = findStep(text)
  if (found) return found
  throw new UserError(`there is no step "${text}"; the steps are ${listedSteps}`)
}
