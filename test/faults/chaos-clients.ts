import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { expectedDemo } from '../../loadtest/generator/expected.ts'
import { count } from './fault.ts'
import { startClosedLoop, startOpenLoop } from './loops.ts'
import { countFallbacks } from './page-with-fallbacks.ts'

/** There are never as many requests in flight, because each has a time limit. */
const CONNECTIONS = 2000
const SEEDS = 128
/** Four `/demo` to one `/page`, as in the scenario `mix`. */
const MIX_PERIOD = 5
/** Statuses that a failing request may get: its task or part died, upstream failed, or the app is overloaded. */
const KNOWN_FAILURES = [500, 502, 503, 504]

/** The outcomes of all requests so far. */
export interface ChaosTally {
  good: number
  /** Pages with at least one fallback. */
  withFallbacks: number
  /** Number of known failures by status and code. */
  readonly failed: Record<string, number>
  /** Number of answers and errors that no fault explains, by their text. */
  readonly wrong: Record<string, number>
  /** Number of requests that took longer than allowed. */
  hung: number
  slowestMs: number
}

/** Clients that ask for the mix and compare every body. */
export class ChaosClients {
  readonly tally: ChaosTally = { good: 0, withFallbacks: 0, failed: {}, wrong: {}, hung: 0, slowestMs: 0 }
  readonly #pool: Pool
  readonly #limitMs: number
  readonly #inFlight = new Set<Promise<void>>()
  #asked = 0

  /** @param limitMs the longest that a request may take */
  constructor(url: string, limitMs: number) {
    this.#limitMs = limitMs
    // The pool waits longer than the limit, so that requests over the limit are seen and counted here.
    const limits = { headersTimeout: 2 * limitMs, bodyTimeout: 2 * limitMs }
    this.#pool = new Pool(url, { connections: CONNECTIONS, ...limits })
  }

  /** Measures with clients in a closed loop. @returns good answers a second */
  async measureCapacity(clients: number, warmupMs: number, durationMs: number): Promise<number> {
    const stop = startClosedLoop(() => this.#ask(), clients)
    await delay(warmupMs)
    const [before, beganAtMs] = [this.tally.good, performance.now()]
    await delay(durationMs)
    const perSecond = ((this.tally.good - before) / (performance.now() - beganAtMs)) * 1000
    await stop()
    return perSecond
  }

  /** Starts an open loop. @returns a function that stops it and waits for the requests in flight */
  start(ratePerSecond: number, seed: number): () => Promise<void> {
    const stop = startOpenLoop(() => this.#follow(this.#ask()), ratePerSecond, seed)
    return async () => {
      await stop()
      await this.#pool.close()
    }
  }

  /** Resolves when every request that was sent so far has its answer. */
  async settle(): Promise<void> {
    await Promise.all(this.#inFlight)
  }

  #follow(request: Promise<void>): Promise<void> {
    const followed = request.finally(() => this.#inFlight.delete(followed))
    this.#inFlight.add(followed)
    return followed
  }

  async #ask(): Promise<void> {
    const seed = this.#asked++ % SEEDS
    const isPage = seed % MIX_PERIOD === 0
    const sentAtMs = performance.now()
    try {
      const path = `${isPage ? '/page' : '/demo'}?seed=${seed}`
      const { statusCode, body } = await this.#pool.request({ path, method: 'GET' })
      const text = await body.text()
      if (statusCode === 200) this.#judge(isPage, seed, text)
      else if (KNOWN_FAILURES.includes(statusCode)) count(this.tally.failed, `${statusCode} ${codeOf(text)}`)
      else count(this.tally.wrong, `${statusCode} ${text}`)
    } catch (error) {
      count(this.tally.wrong, (error as NodeJS.ErrnoException).code ?? (error as Error).message)
    }
    const tookMs = performance.now() - sentAtMs
    this.tally.slowestMs = Math.max(this.tally.slowestMs, tookMs)
    if (tookMs > this.#limitMs) this.tally.hung++
  }

  #judge(isPage: boolean, seed: number, text: string): void {
    const key = `${isPage}${seed}`
    if (right.get(key) === text) {
      this.tally.good++
      return
    }
    const fallbacks = isPage ? countFallbacks(seed, text) : text === expectedDemo(seed) ? 0 : undefined
    if (fallbacks === undefined) count(this.tally.wrong, `wrong body for seed ${seed}: ${text.slice(0, 100)}`)
    else if (fallbacks > 0) this.tally.withFallbacks++
    else {
      right.set(key, text)
      this.tally.good++
    }
  }
}

/** The code of a problem document. */
const codeOf = (text: string): string => (JSON.parse(text) as { code: string }).code

/** Bodies that were compared piece by piece and found right. */
const right = new Map<string, string>()
