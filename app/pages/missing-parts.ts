import { Problem, type ProblemCode } from '../problems.ts'
import type { PartName } from './view/part.tsx'

/** The problem of an error that a component threw. @param componentStack the components that React was rendering */
export function problemOfComponent(error: unknown, componentStack: string | undefined): Problem {
  if (error instanceof Problem) return error
  // A thread sends the name and the fields of a problem, but not its class.
  const { name, code, cause } = error as Problem
  if (name === Problem.name) return new Problem(code as ProblemCode, undefined, cause)
  const stack = (error instanceof Error && error.stack) || String(error)
  return new Problem('PART_FAILED', undefined, `${stack}\nComponents:${componentStack ?? ' none'}`)
}

/** The part of the page in which these components are. */
export const partWith = (componentStack: string | undefined): PartName =>
  componentStack?.includes('at OrderList') ? 'orders' : 'recommendations'
