import { UserError } from '../../lib/cli/user-error.ts'
import type { LoadFigures } from './load.ts'

/** A spectrum of more failed requests than this share is one of errors. */
const MOST_FAILED = 0.01

type Counted = Pick<LoadFigures, 'responses' | 'failures'>

export const failuresOf = ({ failures }: Counted): number =>
  [...failures.values()].reduce((sum, each) => sum + each, 0)

/** Such as `12 of 90 requests failed (401: 10, ECONNRESET: 2)`; undefined if none did. */
export function describeFailures(figures: Counted): string | undefined {
  const failed = failuresOf(figures)
  if (failed === 0) return undefined
  const byStatus = [...figures.failures].sort(([, one], [, other]) => other - one)
  const counts = byStatus.map(([status, count]) => `${status}: ${count}`).join(', ')
  return `${failed} of ${failed + figures.responses} requests failed (${counts})`
}

/** @throws UserError when more failed than a few: the time that a service spends on errors is not what the user asks for */
export function refuseFailures(figures: Counted): void {
  const failed = failuresOf(figures)
  if (failed <= MOST_FAILED * (failed + figures.responses)) return
  throw new UserError(
    `${describeFailures(figures)}: are --url, --method, --header, --body and --http2 right? --accept-errors measures all the same`,
  )
}
