import type { Outcome } from './protocol.ts'
import type { Scenario } from './scenarios.ts'

export interface ExpectedRequest extends Pick<Scenario, 'isRight'> {
  readonly path: string
  readonly body: string
}

export const isRightBody = ({ body, isRight }: ExpectedRequest, received: string): boolean =>
  received === body || (isRight?.(received, body) ?? false)

/** Says what kind of answer this is, by its status and its body. */
export function judgeAnswer(expected: ExpectedRequest, status: number, received: string): Outcome {
  if (status !== 200) return describeError(received)
  return isRightBody(expected, received) ? 'good' : 'wrong body'
}

/** Overload protection answers with this problem, see `app/problems.ts`. */
const describeError = (body: string): Outcome => (body.includes('"code":"OVERLOADED"') ? 'refused' : 'error')

/** The requests of each scenario, by their first seed: a process that measures many times computes them once. */
const computed = new WeakMap<Scenario, Map<number, readonly ExpectedRequest[]>>()

/** Paths with their right bodies, computed before the load starts. */
export function expectRequests(scenario: Scenario, firstSeed: number): readonly ExpectedRequest[] {
  const bySeed = computed.get(scenario) ?? new Map<number, readonly ExpectedRequest[]>()
  const requests =
    bySeed.get(firstSeed) ??
    Array.from({ length: scenario.seeds }, (_, index) => expectRequest(scenario, firstSeed + index))
  computed.set(scenario, bySeed.set(firstSeed, requests))
  return requests
}

export const expectRequest = ({ path, body, isRight }: Scenario, seed: number): ExpectedRequest => ({
  path: path(seed),
  body: body(seed),
  isRight,
})
