import type { MetricPoint } from '../../apm-agent/metrics.ts'
import type { Logger } from '../../lib/telemetry/logger.ts'
import { type RequestContext, requestContext } from '../context.ts'
import { describeCause, Problem, type ProblemCode, toProblem } from '../problems.ts'
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

/** Counts and logs the parts that a page lacks, by part and reason. */
export class FailedParts {
  readonly #logger: Logger
  /** A part is noted once for each request, although each of its components may fail. */
  readonly #noted = new WeakMap<RequestContext, Set<PartName>>()
  readonly #points = new Map<string, MetricPoint & { value: number }>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  note(context: RequestContext, part: PartName, problem: Problem): void {
    const noted = this.#noted.get(context) ?? new Set()
    if (context.gone || noted.has(part)) return
    this.#noted.set(context, noted.add(part))
    const { code } = problem
    const key = `${part} ${code}`
    const attributes = { 'app.part.name': part, 'error.type': code }
    const point = this.#points.get(key) ?? { metric: 'app.page.fallbacks', value: 0, attributes }
    point.value++
    this.#points.set(key, point)
    // A message of a thread arrives outside of the request.
    requestContext.run(context, () =>
      this.#logger.error('a page part failed', { part, code, cause: describeCause(problem) }),
    )
  }

  read = async (): Promise<readonly MetricPoint[]> => [...this.#points.values()].map(point => ({ ...point }))
}
