import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { expectedDemo } from '../../loadtest/generator/expected.ts'
import { startClosedLoop, startOpenLoop } from './loops.ts'
import { countFallbacks } from './page-with-fallbacks.ts'
import { count } from './tally.ts'

/** More than can be on their way within a request's budget. */
const CONNECTIONS = 2000
const SEEDS = 128
/** Four `/demo` to one `/page`, as in the scenario `mix`. */
const MIX_PERIOD = 5
/** What a request that fails may be answered: what a task or part died of, and what upstream or overload did. */
const KNOWN_FAILURES = [500, 502, 503, 504]

/** What became of the requests so far. */
export interface ChaosTally {
  good: number
  /** Pages of which parts were fallbacks. */
  withFallbacks: number
  /** Answers that say that something failed, by status. */
  readonly failed: Record<string, number>
  /** Answers and errors that nothing explains, by what they were. */
  readonly wrong: Record<string, number>
  /** Requests that took longer than they may. */
  hung: number
  slowestMs: number
}

/** Requests of the mix, whose every body is compared. */
export class ChaosClients {
  readonly tally: ChaosTally = { good: 0, withFallbacks: 0, failed: {}, wrong: {}, hung: 0, slowestMs: 0 }
  readonly #pool: Pool
  readonly #limitMs: number
  #asked = 0

  /** @param limitMs by then every request must have ended */
  constructor(url: string, limitMs: number) {
    this.#limitMs = limitMs
    // Whoever hangs is told from the others by us: the client waits longer.
    const limits = { headersTimeout: 2 * limitMs, bodyTimeout: 2 * limitMs }
    this.#pool = new Pool(url, { connections: CONNECTIONS, ...limits })
  }

  /** In a closed loop. @returns good answers a second */
  async measureCapacity(clients: number, warmupMs: number, durationMs: number): Promise<number> {
    const stop = startClosedLoop(() => this.#ask(), clients)
    await delay(warmupMs)
    const [before, beganAtMs] = [this.tally.good, performance.now()]
    await delay(durationMs)
    const perSecond = ((this.tally.good - before) / (performance.now() - beganAtMs)) * 1000
    await stop()
    return perSecond
  }

  /** In an open loop, until the function that is returned is called; it waits for what was sent. */
  start(ratePerSecond: number, seed: number): () => Promise<void> {
    const stop = startOpenLoop(() => this.#ask(), ratePerSecond, seed)
    return async () => {
      await stop()
      await this.#pool.close()
    }
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
      else if (KNOWN_FAILURES.includes(statusCode)) count(this.tally.failed, String(statusCode))
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

/** Bodies that were compared piece by piece and found right. */
const right = new Map<string, string>()
