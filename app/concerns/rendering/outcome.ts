import type { PartFailure, PartReply } from '../../../render/protocol.ts'
import { Problem } from '../../problems.ts'
import type { RenderedPart } from './contract.ts'

/**
 * Converts a reply to a rendered part. Times are by the monotonic clock.
 * @throws Problem when the part failed or did not begin in time
 */
export function partOf(reply: PartReply, askedAtMs: number): RenderedPart {
  if (reply.kind !== 'html') throw problemOf(reply)
  return { html: reply.html, waitMs: reply.startedAtMs - askedAtMs, runMs: reply.runMs }
}

export function problemOf(failure: PartFailure): Problem {
  switch (failure.kind) {
    case 'expired':
      return new Problem('DEADLINE_PASSED')
    case 'bad data':
      return new Problem('UPSTREAM_FAILED', undefined, failure.message)
    case 'not sent':
      return new Problem('PART_FAILED', undefined, failure.message)
    case 'failed':
      return new Problem(
        'PART_FAILED',
        undefined,
        `${failure.stack}\nComponents:${failure.componentStack ?? ' none'}`,
      )
    default:
      throw new TypeError(`unknown part reply ${JSON.stringify(failure)}`)
  }
}
