import type { MetricPoint } from '../../../apm-agent/metrics.ts'
import type { Logger } from '../../../lib/telemetry/logger.ts'
import { Problem, problemAnswer } from '../../problems.ts'
import type { Answer } from '../../route.ts'
import type { Congestion } from './admission.ts'

/** After this time without a refused or degraded request, an overload is over. */
const CALM_MS = 1000

/**
 * Answers and counts the requests that admission control refuses, and counts those that are answered without their CPU tasks. The
 * refused ones share one answer, and the log has one line when an overload begins and one when it ends, because refusing must cost
 * less than serving.
 */
export class Refusals {
  readonly #answer = problemAnswer(new Problem('OVERLOADED'))
  readonly #logger: Logger
  readonly #byReason = new Map<Congestion, number>()
  #degraded = 0
  #sinceBegin = 0
  #sinceLook = 0
  #timer: NodeJS.Timeout | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  refuse(reason: Congestion): Answer {
    this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + 1)
    this.#sinceBegin++
    this.#note('requests are refused', reason)
    return this.#answer
  }

  degrade(reason: Congestion): void {
    this.#degraded++
    this.#note('requests are answered without their CPU tasks', reason)
  }

  readPoints = async (): Promise<MetricPoint[]> => [
    ...[...this.#byReason].map(
      ([reason, value]): MetricPoint => ({
        metric: 'app.requests.refused',
        value,
        attributes: { 'app.congestion': reason },
      }),
    ),
    ...(this.#degraded > 0 ? [{ metric: 'app.requests.degraded', value: this.#degraded } as const] : []),
  ]

  #note(what: string, reason: Congestion): void {
    this.#sinceLook++
    if (this.#timer) return
    this.#logger.warn(`overloaded: ${what}`, { reason })
    this.#timer = setInterval(() => this.#look(), CALM_MS).unref()
  }

  #look(): void {
    if (this.#sinceLook === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#logger.warn('the overload is over', { refused: this.#sinceBegin })
      this.#sinceBegin = 0
    }
    this.#sinceLook = 0
  }
}
