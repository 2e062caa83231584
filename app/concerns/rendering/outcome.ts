import type { PartReply } from '../../../render/protocol.ts'
import { Problem } from '../../problems.ts'
import type { RenderedPart } from './contract.ts'

/**
 * Converts a reply to a rendered part. Times are by the monotonic clock.
 * @throws Problem when the part failed or did not begin in time
 */
export function partOf(reply: PartReply, askedAtMs: number): RenderedPart {
  switch (reply.kind) {
    case 'html':
      return { html: reply.html, waitMs: reply.startedAtMs - askedAtMs, runMs: reply.runMs }
    case 'expired':
      throw new Problem('DEADLINE_PASSED')
    case 'bad data':
      throw new Problem('UPSTREAM_FAILED', undefined, reply.message)
    case 'failed':
      throw new Problem(
        'PART_FAILED',
        undefined,
        `${reply.stack}\nComponents:${reply.componentStack ?? ' none'}`,
      )
    default:
      throw new TypeError(`unknown part reply ${JSON.stringify(reply)}`)
  }
}
