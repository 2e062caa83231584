import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { applyChunks } from '../../lib/apply-chunks.ts'
import { expectedCpu, expectedDemo } from '../../loadtest/generator/expected.ts'
import { expectedPage, isRightPage, withoutNonce } from '../../loadtest/generator/expected-page.ts'
import { schedule, startClients } from '../../loadtest/generator/load.ts'
import { codeOf, count } from './fault.ts'

/** Makes no more requests, and waits for those in flight. */
export type StopAsking = () => Promise<void>

/** There are never as many requests in flight, because each has a time limit. */
const CONNECTIONS = 2000
/** A client of a closed loop that is refused waits for this time, as `retry-after` asks, only less. */
const PAUSE_MS = 50
/** Statuses that a failing request may get: its task or part died, upstream failed, or the app is overloaded. */
const KNOWN_FAILURES = [500, 502, 503, 504]
const SEEDS = 128
/** Four `/demo` to one `/page`, as in the scenario `mix`. */
const MIX_PERIOD = 5

type Judgement = 'good' | 'withFallbacks' | 'wrong'

/** A request, and what its answer is. */
interface Asked {
  readonly path: string
  judge(body: string): Judgement
}

/** The outcomes of all requests so far. */
export interface Tally {
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

/** Four `/demo` to one `/page`. */
export const askMix = (): Asked[] =>
  Array.from({ length: SEEDS }, (_, seed) =>
    seed % MIX_PERIOD === 0 ? askPage(seed) : askExactly(`/demo?seed=${seed}`, expectedDemo(seed)),
  )

/** CPU tasks of some size. */
export const askTasks = (size: number): Asked[] =>
  Array.from({ length: SEEDS }, (_, seed) =>
    askExactly(`/cpu?size=${size}&seed=${seed}`, expectedCpu(size, seed)),
  )

const askExactly = (path: string, right: string): Asked => ({
  path,
  judge: body => (body === right ? 'good' : 'wrong'),
})

function askPage(seed: number): Asked {
  let right: string | undefined
  return {
    path: `/page?seed=${seed}`,
    judge(body) {
      if (body === right) return 'good'
      const fallbacks = countFallbacks(seed, body)
      if (fallbacks === 0) right = body
      return fallbacks === undefined ? 'wrong' : fallbacks > 0 ? 'withFallbacks' : 'good'
    },
  }
}

/** Clients that compare every body. */
export class Clients {
  readonly tally: Tally = { good: 0, withFallbacks: 0, failed: {}, wrong: {}, hung: 0, slowestMs: 0 }
  readonly #requests: readonly Asked[]
  readonly #pool: Pool
  readonly #limitMs: number
  #asked = 0

  /** @param limitMs the longest that a request may take */
  constructor(url: string, requests: readonly Asked[], limitMs: number) {
    this.#requests = requests
    this.#limitMs = limitMs
    // The pool waits longer than the limit, so that requests over the limit are seen and counted here.
    const limits = { headersTimeout: 2 * limitMs, bodyTimeout: 2 * limitMs }
    this.#pool = new Pool(url, { connections: CONNECTIONS, ...limits })
  }

  /** Starts clients that each make the next request when the last one has ended. */
  startClosedLoop = (clients: number): StopAsking =>
    startClients(clients, async () => ((await this.#ask()) ? 0 : PAUSE_MS))

  /** Starts requests at scheduled times drawn from a seed, whether or not earlier ones have ended. */
  startOpenLoop(ratePerSecond: number, seed: number): StopAsking {
    const inFlight = new Set<Promise<unknown>>()
    const times = schedule({ arrivals: 'poisson', ratePerSecond, seed })
    const startedAtMs = performance.now()
    let nextAtMs = startedAtMs + times.next().value
    let timer: NodeJS.Timeout
    const sendDue = () => {
      for (; nextAtMs <= performance.now(); nextAtMs = startedAtMs + times.next().value) {
        const answered = this.#ask()
        inFlight.add(answered)
        void answered.finally(() => inFlight.delete(answered))
      }
      timer = setTimeout(sendDue, Math.max(0, nextAtMs - performance.now()))
    }
    sendDue()
    return async () => {
      clearTimeout(timer)
      await Promise.all(inFlight)
    }
  }

  /** Measures with clients in a closed loop. @returns good answers a second */
  async measureCapacity(clients: number, warmupMs: number, durationMs: number): Promise<number> {
    const stop = this.startClosedLoop(clients)
    await delay(warmupMs)
    const [before, beganAtMs] = [this.tally.good, performance.now()]
    await delay(durationMs)
    const perSecond = ((this.tally.good - before) / (performance.now() - beganAtMs)) * 1000
    await stop()
    return perSecond
  }

  /** @returns whether the request succeeded */
  async #ask(): Promise<boolean> {
    const { path, judge } = this.#requests[this.#asked++ % this.#requests.length] as Asked
    const { tally } = this
    const sentAtMs = performance.now()
    let isGood = false
    try {
      const { statusCode, body } = await this.#pool.request({ path, method: 'GET' })
      const text = await body.text()
      const judgement = statusCode === 200 ? judge(text) : 'wrong'
      isGood = judgement !== 'wrong'
      if (judgement !== 'wrong') tally[judgement]++
      else if (KNOWN_FAILURES.includes(statusCode))
        count(tally.failed, `${statusCode} ${(JSON.parse(text) as { code: string }).code}`)
      else count(tally.wrong, `${statusCode} to ${path}: ${text.slice(0, 200)}`)
    } catch (error) {
      count(tally.wrong, codeOf(error))
    }
    const tookMs = performance.now() - sentAtMs
    tally.slowestMs = Math.max(tally.slowestMs, tookMs)
    if (tookMs > this.#limitMs) tally.hung++
    return isGood
  }
}

const recommendations = /<!--\$--><ul class="recommendations">.*?<!--\/\$-->/s
/** Recommendations that failed, or whose render thread died after the shell. */
const fallback = /<!--\$[?!]?-->(<template[^>]*><\/template>)?<p class="fallback.*?<!--\/\$-->/s
/** React says that the browser has to render a part. */
const given = /<script nonce="[^"]*">[^<]*\$RX\("B:0"[^<]*<\/script>/

/** Number of parts of a seed's page that are missing; undefined if anything else on the page is wrong. */
function countFallbacks(seed: number, page: string): number | undefined {
  const right = expectedPage(seed)
  if (isRightPage(page, right)) return 0
  const missing = recommendations.exec(right)?.[0] as string
  return withoutNonce(page, applyChunks)
    .replace(given, '')
    .replace(fallback, () => missing) === right
    ? 1
    : undefined
}
