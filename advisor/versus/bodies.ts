import { UserError } from '../../lib/cli/user-error.ts'
import type { Block, Sample } from './running-side.ts'

/**
 * Compares the bodies that both sides have answered with, each request by itself. @returns a sentence for the reader
 * @throws UserError when the bodies differ, so that the two do not do the same work
 */
export function compareBodies(blocks: readonly Block[]): string {
  const before = bodiesOf(blocks.map(block => block.before))
  const after = bodiesOf(blocks.map(block => block.after))
  let [same, varying] = [0, 0]
  for (const [request, own] of before) {
    const others = after.get(request)
    // A rare request may have come to one side alone.
    if (!others) continue
    const isSame = own.size === others.size && [...own].every(body => others.has(body))
    if (isSame) same += own.size
    else if (own.size > 1 && others.size > 1) varying++
    else {
      throw new UserError(
        'before and after answer with different bodies, so they do not do the same work; --any-body compares them all the same',
      )
    }
  }
  if (varying > 0) return 'Bodies vary from answer to answer on both sides, so they were not compared.'
  return same === 1 ? 'Both answered with the same body.' : `Both answered with the same ${same} bodies.`
}

/** The answers to each request. */
function bodiesOf(samples: readonly Sample[]): Map<string, Set<string>> {
  const byRequest = new Map<string, Set<string>>()
  for (const key of samples.flatMap(({ bodies }) => [...bodies.keys()])) {
    const [request = '', ...answer] = key.split(' ')
    byRequest.set(request, (byRequest.get(request) ?? new Set()).add(answer.join(' ')))
  }
  return byRequest
}
