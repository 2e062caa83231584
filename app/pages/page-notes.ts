import { describeCause, Problem, type ProblemCode, toProblem } from '../problems.ts'
import type { PartName } from './view/part.tsx'

/** Says why a page lacks a part. It is plain data, because the page may be made in a thread. */
export type PageNote = readonly [part: PartName, code: ProblemCode, cause: unknown]

export function noteProblem(part: PartName, error: unknown): PageNote {
  const problem = toProblem(error)
  return [part, problem.code, describeCause(problem)]
}

export const problemOfNote = ([part, code, cause]: PageNote): [PartName, Problem] => [
  part,
  new Problem(code, undefined, cause),
]
