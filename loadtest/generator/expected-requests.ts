import type { Scenario } from './scenarios.ts'

export interface ExpectedRequest {
  readonly path: string
  readonly body: string
}

/** Paths with their right bodies, computed before the load starts. */
export function expectRequests({ seeds, path, body }: Scenario, firstSeed: number): ExpectedRequest[] {
  return Array.from({ length: seeds }, (_, index) => ({
    path: path(firstSeed + index),
    body: body(firstSeed + index),
  }))
}
