import { UserError } from '../../lib/cli/user-error.ts'
import { seededRandom } from '../../lib/random.ts'
import { Latencies } from '../../loadtest/generator/latencies.ts'
import { startClients } from '../../loadtest/generator/load.ts'
import type { Request } from './requests.ts'
import { createSender, type Sender } from './sender.ts'

/** After a connection has failed, the next is tried this much later. */
const RETRY_MS = 50

export type LoadFigures = Readonly<ReturnType<typeof emptyCounts>>

/**
 * Sends requests, each drawn by its weight, from `resume` until `pause`. Each connection sends its next request as soon as its last
 * is answered.
 */
export class Load {
  readonly #requests: readonly Request[]
  readonly #senders: readonly Sender[]
  readonly #draw: () => number
  #counted = emptyCounts()
  #isStopped = false
  #pause = async () => {}

  constructor(origin: string, requests: readonly Request[], connections: number) {
    this.#requests = requests
    this.#senders = Array.from({ length: connections }, () => createSender(origin))
    this.#draw = createDraw(requests)
  }

  resume(): void {
    this.#pause = startClients(this.#senders.length, client => this.#send(this.#senders[client] as Sender))
  }

  /** Sends nothing more. Resolves once all requests that are under way are answered. */
  pause(): Promise<void> {
    return this.#pause()
  }

  /** Forgets what it has counted. */
  reset(): void {
    this.#counted = emptyCounts()
  }

  figures(): LoadFigures {
    return this.#counted
  }

  /** Ends all connections. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const sender of this.#senders) sender.close()
    await this.pause()
  }

  /** @returns how many milliseconds to wait afterwards */
  async #send(sender: Sender): Promise<number> {
    const sentAtMs = performance.now()
    const index = this.#draw()
    const { status, digest } = await sender.send(this.#requests[index] as Request)
    if (this.#isStopped) return 0
    const counted = this.#counted
    if (typeof status === 'number' && status < 400) {
      counted.responses++
      counted.latencies.record(performance.now() - sentAtMs)
    } else count(counted.failures, String(status))
    count(counted.bodies, `${index} ${status} ${digest}`)
    return typeof status === 'string' ? RETRY_MS : 0
  }
}

/** Draws the place of a request by its weight, in the same order each time. */
function createDraw(requests: readonly Request[]): () => number {
  const places = requests.flatMap(({ weight }, index) => Array<number>(weight).fill(index))
  const random = seededRandom(1)
  return () => places[Math.floor(random() * places.length)] as number
}

const count = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1)

const emptyCounts = () => ({
  /** Answers with a status below 400. */
  responses: 0,
  /** Of these answers. */
  latencies: new Latencies(),
  /** Number of all others, by their status or by the code of their error. */
  failures: new Map<string, number>(),
  /**
   * The place of the request, and status and digest of each body that was seen, with its number of answers. Bodies are only
   * told apart, not kept.
   */
  bodies: new Map<string, number>(),
})

/** A spectrum of more failed requests than this share is one of errors. */
const MOST_FAILED = 0.01

type Counted = Pick<LoadFigures, 'responses' | 'failures'>

export const failuresOf = ({ failures }: Counted): number =>
  [...failures.values()].reduce((sum, each) => sum + each, 0)

/** Such as `12 of 90 requests failed (401: 10, ECONNRESET: 2)`; undefined if none did. */
export function describeFailures(figures: Counted): string | undefined {
  const failed = failuresOf(figures)
  if (failed === 0) return undefined
  const byStatus = [...figures.failures].sort(([, one], [, other]) => other - one)
  const counts = byStatus.map(([status, count]) => `${status}: ${count}`).join(', ')
  return `${failed} of ${failed + figures.responses} requests failed (${counts})`
}

/** @throws UserError when more failed than a few: the time that a service spends on errors is not what the user asks for */
export function refuseFailures(figures: Counted): void {
  const failed = failuresOf(figures)
  if (failed <= MOST_FAILED * (failed + figures.responses)) return
  throw new UserError(
    `${describeFailures(figures)}: are --url, --method, --header and --body right? --accept-errors measures all the same`,
  )
}
