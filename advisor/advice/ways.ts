import table from './advice.json' with { type: 'json' }

/** How a concern can leave the main thread, or become cheaper on it. */
export interface Way {
  /** Whether the work can be done elsewhere. */
  readonly leaves: boolean
  readonly way: string
  /** Whether only the parts of Node.js that work for the concern leave, such as writing, and its packages stay. */
  readonly onlyBuiltinsLeave?: boolean
  /** Concerns whose time it may take too, because it wraps their functions. */
  readonly mayTake?: readonly string[]
  /** Whether it keeps the core for milliseconds, so that all else becomes cheaper without it. */
  readonly hasLongTurns?: boolean
  /** Why it stays, if it does; by default because it runs where the request is. */
  readonly stays?: string
  /** Packages of the concern that leave with the parts of Node.js, because ours take their place. */
  readonly replaced?: readonly string[]
  /** Whether it leaves in batches, so that no request wakes a thread. */
  readonly isBatched?: boolean
  /** The share of what leaves that may come back: lines go to a buffer instead, and are written later. */
  readonly mayStay?: number
  /** The command that tries it in the running service. */
  readonly tryIt?: string
  /** Ours first, then what people know. */
  readonly packages?: readonly Choice[] | 'pools'
}

interface Choice {
  readonly name: string
  /** Its purpose, in a few words. */
  readonly what: string
  /** Code for what a service uses, by the packages in its spectrum. The first one that is there counts; the last is for all. */
  readonly code?: Readonly<Record<string, string>>
  /** In its place, the work in the handler of a request, which each framework writes in its own way. */
  readonly answer?: string
}

interface Table {
  readonly ways: Readonly<Record<string, Way>>
  /** Pools of threads. */
  readonly pools: readonly Choice[]
  /** Next.js renders by itself, so no package can take that over. */
  readonly caching: readonly Choice[]
  /** How an answer that comes later is sent, by framework; `WORK` stands for the work. */
  readonly answers: Readonly<Record<string, string>>
}

const { ways, pools, caching, answers } = table as Table

/** The way of a concern. One of the user's own, which is not in the table, is treated like the application. */
export const wayOf = (concern: string): Way =>
  (Object.hasOwn(ways, concern) ? ways[concern] : ways.application) as Way

/**
 * The packages that take a concern off the main thread, each with a line of code that shows how.
 * @param seen names of the packages in the spectrum
 */
export function packagesFor(concern: string, seen: ReadonlySet<string>) {
  const { packages = [] } = wayOf(concern)
  const usual = packages === 'pools' ? pools : packages
  const found = concern === 'rendering' && seen.has('next') ? caching : usual
  return found.map(({ name, what, code = answers, answer = '' }) => {
    const key = Object.keys(code).find(each => each === '' || seen.has(each)) as string
    const line = (code[key] as string).replace('WORK', () => answer)
    return { name, what, code: line }
  })
}
