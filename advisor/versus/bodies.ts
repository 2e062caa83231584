import { UserError } from '../../lib/cli/user-error.ts'
import type { Sample } from './take-sample.ts'

/** The samples of both sides of one block. */
export interface Block {
  readonly before: Sample
  readonly after: Sample
}

/**
 * Compares the bodies that both sides have answered with.
 * @returns a sentence for the reader
 * @throws UserError when the bodies differ, so that the two do not do the same work
 */
export function compareBodies(blocks: readonly Block[]): string {
  const [before, after] = [
    bodiesOf(blocks.map(block => block.before)),
    bodiesOf(blocks.map(block => block.after)),
  ]
  const shared = [...before].filter(body => after.has(body))
  if (shared.length === before.size && before.size === after.size) {
    return before.size === 1
      ? 'Both answered with the same body.'
      : `Both answered with the same ${before.size} bodies.`
  }
  if (before.size > 1 && after.size > 1) {
    return 'Bodies vary from answer to answer on both sides, so they were not compared.'
  }
  throw new UserError(
    'before and after answer with different bodies, so they do not do the same work; --any-body compares them all the same',
  )
}

const bodiesOf = (samples: readonly Sample[]): Set<string> =>
  new Set(samples.flatMap(({ bodies }) => [...bodies.keys()]))
