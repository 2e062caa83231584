import table from './advice.json' with { type: 'json' }
import { type Gain, gains, peers } from './gains.ts'

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
  /** The step of ours that did it. */
  readonly example?: string
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
  /** Its name in runs of `peers`. */
  readonly peer?: string
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

const { caching, answers } = table as Table
export const { ways, pools } = table as Table

/** The way of a concern. One of the user's own, which is not in the table, is treated like the application. */
export const wayOf = (concern: string): Way =>
  (Object.hasOwn(ways, concern) ? ways[concern] : ways.application) as Way

export const gainOf = ({ example }: Way): Gain | null => ownOf(gains, example) ?? null

/**
 * The packages that take a concern off the main thread, each with a line of code that shows how.
 * @param seen names of the packages in the spectrum
 */
export function packagesFor(concern: string, seen: ReadonlySet<string>) {
  const { packages = [] } = wayOf(concern)
  const usual = packages === 'pools' ? pools : packages
  const found = concern === 'rendering' && seen.has('next') ? caching : usual
  return found.map(({ name, what, code = answers, answer = '', peer }) => {
    const key = Object.keys(code).find(each => each === '' || seen.has(each)) as string
    const line = (code[key] as string).replace('WORK', () => answer)
    // The main-thread cost of a request with the package over that with ours; null if no published run compares them.
    return { name, what, code: line, versusOurs: ownOf(peers, peer) ?? null }
  })
}

const ownOf = <T>(values: Readonly<Record<string, T>>, name = ''): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
