import type { MetricPoint } from '../../apm-agent/metrics.ts'
import type { Logger } from '../../lib/telemetry/logger.ts'
import { type RequestContext, requestContext } from '../context.ts'
import { describeCause, type Problem } from '../problems.ts'
import type { PartName } from './view/part.tsx'

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
