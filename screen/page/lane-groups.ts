import type { Threads } from '../live-messages.ts'

/** The threads of one kind, such as those of a pool, also of several instances. */
export interface LaneGroup {
  readonly kind: string
  readonly names: readonly string[]
  /** Whether the threads share a lane. */
  readonly isFolded: boolean
}

/** `compute 2` comes before `compute 10`. */
const byNumber = new Intl.Collator('en', { numeric: true }).compare

/** The kind of `compute 1`, and of `2: compute 1` in the second instance, is `compute`. */
const kindOf = (name: string): string => name.replace(/^\d+: /, '').split(' ')[0] as string

/**
 * Groups the threads that run now, by their kind.
 * @param threads what was told in the last seconds, so that a thread that is being replaced keeps its lane
 * @param foldFrom from this number on, the threads of a kind share a lane
 */
export function groupLanes(threads: readonly Pick<Threads, 'lanes'>[], foldFrom: number): LaneGroup[] {
  const all = threads.flatMap(({ lanes }) => lanes.map(({ name }) => name))
  return [...Map.groupBy(new Set(all), kindOf)].map(([kind, names]) => ({
    kind,
    names: names.toSorted(byNumber),
    isFolded: names.length >= foldFrom,
  }))
}

/** The mean share of some threads; null if none of them runs. */
export function meanShare({ lanes }: Pick<Threads, 'lanes'>, names: ReadonlySet<string>): number | null {
  const shares = lanes.filter(({ name }) => names.has(name)).map(({ share }) => share)
  return shares.length > 0 ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null
}
