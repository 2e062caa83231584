import type { Update } from '../update.ts'

/** From this number on, the threads of a kind share a lane. */
const FOLD_FROM = 4
/** A thread that is replaced has a lane again within this time. */
const REPLACED_WITHIN_MS = 3000

/** The threads of one kind, such as those of a pool, also of several instances. */
export interface LaneGroup {
  readonly kind: string
  readonly names: readonly string[]
  readonly isFolded: boolean
}

/** `compute 2` comes before `compute 10`. */
const byNumber = new Intl.Collator('en', { numeric: true }).compare

/** The kind of `compute 1`, and of `2: compute 1` in the second instance, is `compute`. */
const kindOf = (name: string): string => name.replace(/^\d+: /, '').split(' ')[0] as string

/**
 * Groups the threads that run now, by their kind. Threads that have ended are left out: those of another app, and those
 * without a replacement.
 * @param updates the oldest first
 */
export function groupLanes(updates: readonly Update[]): LaneGroup[] {
  const last = updates.at(-1)
  if (!last) return []
  const present = updates.filter(({ app, atMs }) => app === last.app && atMs > last.atMs - REPLACED_WITHIN_MS)
  const all = present.flatMap(({ lanes }) => lanes.map(({ name }) => name))
  const kinds = Map.groupBy(new Set(all), kindOf)
  return [...kinds].map(([kind, names]) => ({
    kind,
    names: names.toSorted(byNumber),
    isFolded: names.length >= FOLD_FROM,
  }))
}

/** The mean share of some threads in an update; null if none of them is in it. */
export function meanShare({ lanes }: Update, names: ReadonlySet<string>): number | null {
  const shares = lanes.filter(({ name }) => names.has(name)).map(({ share }) => share)
  return shares.length > 0 ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null
}
