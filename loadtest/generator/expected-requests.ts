import type { Scenario } from './scenarios.ts'

export interface ExpectedRequest {
  readonly path: string
  readonly body: string
}

/** The requests of each scenario, by their first seed: a process that measures many times computes them once. */
const computed = new WeakMap<Scenario, Map<number, readonly ExpectedRequest[]>>()

/** Paths with their right bodies, computed before the load starts. */
export function expectRequests(scenario: Scenario, firstSeed: number): readonly ExpectedRequest[] {
  const bySeed = computed.get(scenario) ?? new Map<number, readonly ExpectedRequest[]>()
  const requests = bySeed.get(firstSeed) ?? computeRequests(scenario, firstSeed)
  computed.set(scenario, bySeed.set(firstSeed, requests))
  return requests
}

const computeRequests = ({ seeds, path, body }: Scenario, firstSeed: number): ExpectedRequest[] =>
  Array.from({ length: seeds }, (_, index) => ({
    path: path(firstSeed + index),
    body: body(firstSeed + index),
  }))
