import type { MetricPoint } from '../../apm-agent/metrics.ts'
import type { Apm } from '../concerns/apm/contract.ts'
import type { RequestContext } from '../context.ts'
import type { PageQuery } from '../pages/view/data.ts'
import type { PartName } from '../pages/view/part.tsx'
import { Problem, type ProblemCode } from '../problems.ts'
import { onEnd } from './ending.ts'

const NOT_TAKEN = 'too many clients are still receiving their pages; try again'
const MIB = 2 ** 20
/** The memory of a page, and of each order on it, while the page is made and sent. */
const PAGE_BYTES = 16 * 1024
const ORDER_BYTES = 640

/** What the operation of the service adds to `/page`: a limit on the memory of pages, and counts of the parts that they lack. */
export class PageHooks {
  readonly #mostBytes: number
  #heldBytes = 0
  readonly #fallbacks = new Map<string, MetricPoint & { value: number }>()

  constructor(apm: Pick<Apm, 'watch'>, { pageMemoryMib }: { readonly pageMemoryMib: number }) {
    this.#mostBytes = pageMemoryMib * MIB
    apm.watch(async () => [...this.#fallbacks.values()].map(point => ({ ...point })))
    apm.watch(async () => [{ metric: 'app.page.memory', value: this.#heldBytes }])
  }

  /**
   * Holds the memory of a page until it was sent.
   * @throws Problem OVERLOADED while clients are still receiving too many pages
   */
  admit({ orders }: PageQuery, context: RequestContext): void {
    if (this.#heldBytes >= this.#mostBytes) throw new Problem('OVERLOADED', NOT_TAKEN)
    const bytes = PAGE_BYTES + orders * ORDER_BYTES
    this.#heldBytes += bytes
    onEnd(context, () => {
      this.#heldBytes -= bytes
    })
  }

  missing(part: PartName, code: ProblemCode): void {
    const key = `${part} ${code}`
    const attributes = { 'app.part.name': part, 'error.type': code }
    const point = this.#fallbacks.get(key) ?? { metric: 'app.page.fallbacks', value: 0, attributes }
    point.value++
    this.#fallbacks.set(key, point)
  }
}
