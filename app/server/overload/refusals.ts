import type { MetricPoint } from '../../../apm-agent/metrics.ts'
import type { Logger } from '../../../lib/telemetry/logger.ts'
import { Problem, problemAnswer } from '../../problems.ts'
import type { Answer } from '../../route.ts'
import type { Congestion } from './admission.ts'

/** After this time without a refused request, an overload is over. */
const CALM_MS = 1000

/**
 * Answers and counts the requests that admission control refuses. They share one answer, and the log has one line when an overload
 * begins and one when it ends, because refusing must cost less than serving.
 */
export class Refusals {
  readonly #answer = problemAnswer(new Problem('OVERLOADED'))
  readonly #logger: Logger
  readonly #byReason = new Map<Congestion, number>()
  #sinceBegin = 0
  #timer: NodeJS.Timeout | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  refuse(reason: Congestion): Answer {
    this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + 1)
    this.#sinceBegin++
    if (this.#timer) this.#timer.refresh()
    else {
      this.#logger.warn('overloaded: requests are refused', { reason })
      this.#timer = setTimeout(() => this.#end(), CALM_MS).unref()
    }
    return this.#answer
  }

  readPoints = async (): Promise<MetricPoint[]> =>
    [...this.#byReason].map(([reason, value]) => ({
      metric: 'app.requests.refused',
      value,
      attributes: { 'app.congestion': reason },
    }))

  #end(): void {
    this.#timer = undefined
    this.#logger.warn('the overload is over', { refused: this.#sinceBegin })
    this.#sinceBegin = 0
  }
}
