import type { MetricPoint } from '../../../apm-agent/protocol.ts'
import type { PartName } from '../../../render/protocol.ts'
import type { ProblemCode } from '../../problems.ts'

/** Counts the parts that were replaced by their fallback, by part and reason. */
export class FallbackCounts {
  readonly #points = new Map<string, MetricPoint & { value: number }>()

  count(part: PartName, code: ProblemCode): void {
    const key = `${part} ${code}`
    const attributes = { 'app.part.name': part, 'error.type': code }
    const point = this.#points.get(key) ?? { metric: 'app.page.fallbacks', value: 0, attributes }
    point.value++
    this.#points.set(key, point)
  }

  read = async (): Promise<readonly MetricPoint[]> => [...this.#points.values()].map(point => ({ ...point }))
}
