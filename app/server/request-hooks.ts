import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { msUntil } from '../../lib/units.ts'
import { type RequestContext, requestContext } from '../context.ts'
import { Problem } from '../problems.ts'
import type { Answer, Route } from '../route.ts'
import type { AdmissionControl } from './overload/admission.ts'
import type { Refusals } from './overload/refusals.ts'
import type { RequestMeter } from './pulse/request-meter.ts'

/** A queue or the upstream call knows better why it is late. It has this time to report that itself. */
const GRACE_MS = 10

interface HookOptions {
  readonly admission: Pick<AdmissionControl, 'enter' | 'leave'>
  readonly refusals: Refusals
  readonly meter?: RequestMeter | undefined
}

/** What the operation of the service adds to the way of a request: admission, a deadline for the answer, a record. */
export class RequestHooks {
  readonly #options: HookOptions

  constructor(options: HookOptions) {
    this.#options = options
  }

  /** The time that `record` and `admit` are given. */
  now(): number {
    return performance.now()
  }

  record(isGood: boolean, startedAtMs: number): void {
    this.#options.meter?.record(isGood, startedAtMs)
  }

  /** @returns the answer to a request that is refused before any work */
  admit({ needs = [] }: Route, nowMs: number): Answer | undefined {
    const { admission, refusals } = this.#options
    const congestion = admission.enter(needs, nowMs)
    if (!congestion) return undefined
    this.record(false, nowMs)
    return refusals.refuse(congestion)
  }

  /** Says that the work for an admitted request is over. */
  leave({ needs = [] }: Route): void {
    this.#options.admission.leave(needs)
  }

  /** The answer, or a failure if it is not ready in time; then all work for it is told to stop. */
  inTime(
    { needs = [] }: Route,
    context: RequestContext,
    work: Promise<Answer>,
    fail: (problem: Problem) => Answer,
  ): Promise<Answer> {
    if (needs.length === 0) return work
    const { promise, resolve } = Promise.withResolvers<Answer>()
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        context.abort()
        resolve(requestContext.run(context, () => fail(new Problem('ANSWER_LATE'))))
      },
      msUntil(context.deadline + GRACE_MS),
    ).unref()
    void work.then(answer => {
      if (isLate) return destroyBody(answer)
      clearTimeout(timer)
      resolve(answer)
    })
    return promise
  }
}

/** The routes that are at work, whether or not their clients are still connected. */
export class RunningRoutes {
  #count = 0
  #onIdle: (() => void) | undefined

  enter(): void {
    this.#count++
  }

  leave(): void {
    if (--this.#count === 0) this.#onIdle?.()
  }

  /** Resolves once no route is running. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>(resolve => (this.#onIdle = resolve))
  }
}

function destroyBody({ body }: Answer): void {
  if (body instanceof Readable) body.destroy()
}
