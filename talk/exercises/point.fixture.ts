import { AssertionError } from 'node:assert'
import { test } from 'node:test'

/** After this time a point is given up: the learner's code does not answer. */
const LIMIT_MS = 5000

/** One expectation of a check. */
export interface Point {
  /** The expectation, in a sentence. */
  readonly expects: string
  /** The file to look at if the expectation is not met, and what to look for there. */
  readonly look: string
  /** The time after which the learner's code is given up; 5 s if it is absent. */
  readonly limitMs?: number
  /** @returns the finding that differs from the expectation, in a sentence; undefined if the expectation is met */
  see(): Promise<string | undefined>
}

/** Makes a test of each point, which tells where to look if it fails. */
export function expectPoints(points: readonly Point[]): void {
  for (const { expects, look, see, limitMs = LIMIT_MS } of points)
    test(expects, { timeout: limitMs }, async t => {
      t.after(() => {
        if (!t.passed) t.diagnostic(look)
      })
      const seen = await see()
      if (seen !== undefined) throw new AssertionError({ message: seen })
    })
}
