import { UserError } from '../../lib/user-error.ts'
import type { Report } from '../spectrum/report.ts'
import { byConcern } from '../spectrum/spectrum.ts'

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
 * @param warn is told about limits of concerns that the spectrum does not have, which may be misspelt
 * @throws UserError that names the concerns that exceed their limits
 */
export function assertWithin({ main }: Report, limits: readonly Limit[], warn: (line: string) => void): void {
  const shares = new Map(byConcern(main).map(({ concern, share, gcShare }) => [concern, share + gcShare]))
  for (const { concern } of limits.filter(each => !shares.has(each.concern))) {
    warn(`warning: --fail-over: this spectrum has no "${concern}"; it has ${[...shares.keys()].join(', ')}`)
  }
  const exceeded = limits.filter(({ concern, share }) => (shares.get(concern) ?? 0) > share)
  if (exceeded.length === 0) return
  const facts = exceeded.map(
    ({ concern, share }) =>
      `${concern} takes ${((shares.get(concern) ?? 0) * 100).toFixed(1)} % of the main thread, more than ${share * 100} %`,
  )
  throw new UserError(facts.join('; '))
}
