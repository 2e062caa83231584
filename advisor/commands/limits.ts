import { UserError } from '../../lib/cli/user-error.ts'
import { namesOfConcerns } from '../concerns/concerns.ts'
import { percent } from '../output/tables.ts'
import { RUNTIME } from '../spectrum/parts.ts'
import { byConcern, LEAST_COVERAGE, type ThreadSpectrum } from '../spectrum/spectrum.ts'

/** The largest share that a concern may have. */
export interface Limit {
  readonly concern: string
  readonly share: number
}

/** Reads limits such as `logging=20%,apm=10%`; undefined if the text is no such list. */
export function parseLimits(text: string): Limit[] | undefined {
  const limits = text.split(',').map(each => /^([^=;]+)=(\d+(?:\.\d+)?)%$/.exec(each.trim()))
  return limits.every(match => match !== null)
    ? limits.map(([, concern = '', percent]) => ({ concern, share: Number(percent) / 100 }))
    : undefined
}

/**
 * @param table file of `--concerns`
 * @throws UserError when there is no such concern, so that its limit would never be exceeded
 */
export function assertKnown(limits: readonly Limit[], table?: string): void {
  const known = namesOfConcerns(table).add(RUNTIME.concern)
  const unknown = limits.find(({ concern }) => !known.has(concern))
  if (!unknown) return
  throw new UserError(
    `--fail-over: there is no concern "${unknown.concern}"; the concerns are ${[...known].join(', ')}`,
  )
}

/**
 * @param main of a watched process, or of a profile, whose coverage nobody knows
 * @throws UserError that names the concerns that exceed their limits, or says that the profile missed too much to tell
 */
export function assertWithin(
  main: Pick<ThreadSpectrum, 'cpuMs' | 'coverage' | 'shares'>,
  limits: readonly Limit[],
): void {
  if (main.cpuMs !== null && (main.coverage ?? 0) < LEAST_COVERAGE) {
    const found = main.coverage === null ? 'has too few samples to know it' : `has ${percent(main.coverage)}`
    throw new UserError(
      `--fail-over needs a coverage of ${percent(LEAST_COVERAGE)}, and the profile ${found}: give the machine more idle cores, or watch for longer with --for`,
    )
  }
  const shares = new Map(byConcern(main).map(({ concern, share, gcShare }) => [concern, share + gcShare]))
  const shareOf = (concern: string) => shares.get(concern) ?? 0
  const exceeded = limits.filter(({ concern, share }) => shareOf(concern) > share)
  if (exceeded.length === 0) return
  const facts = exceeded.map(
    ({ concern, share }) =>
      `${concern} takes ${percent(shareOf(concern))} of the main thread, more than ${percent(share)}`,
  )
  throw new UserError(facts.join('; '))
}
