import { forEachPart, isApart, type PartCosts, type PerPart, type WokenPart } from '../demands.ts'
import type { RequestPath } from '../path.ts'
import type { Agenda } from './agenda.ts'
import { Background, type Burst, workSteadily } from './background.ts'
import { TICK_MICROS } from './clients.ts'
import type { Cores } from './cores.ts'
import { Costs } from './costs.ts'
import type { Elsewhere } from './elsewhere.ts'
import { SimulatedPool } from './pool.ts'
import type { Server, SimulatedThread } from './thread.ts'
import { createVariation } from './variation.ts'

export interface StackSetup {
  readonly path: RequestPath
  readonly costs: PartCosts
  /** Processes of the app that share its port. */
  readonly instances: number
  /** Threads of each pool. */
  readonly threads: number
  /** Nice value of the threads of the pools. */
  readonly workerPriority: number
  /** By how much the CPU time of a piece of work varies, see {@link createVariation}. */
  readonly variation: number
}

/** V8 starts this many helper threads in each process (`--v8-pool-size` of Node.js). */
const HELPERS = 4
/**
 * The helper threads work for requests in bursts of two kinds, because V8 collects young objects often, and all objects
 * rarely. The figures are those of the monolith on one core, see "What is simulated" in docs/capacity.md. For the other steps,
 * they are an assumption.
 */
const BURSTS_OF_HELPERS = [
  { share: 0.6, requests: 14, threads: 1 },
  { share: 0.4, requests: 1000, threads: HELPERS },
] satisfies Burst[]

/** Log lines and records travel to the sidecars in batches of this many requests. This is an assumption. */
const BATCHES = [{ share: 1, requests: 20, threads: 1 }] satisfies Burst[]

/** One process of the app. */
interface Instance {
  readonly mainThread: SimulatedThread
  readonly pool: SimulatedPool | null
  readonly helpers: Background
}

/** The stack of one composition, on simulated cores. */
export class SimulatedStack {
  readonly parts: PerPart<readonly Server[]>
  /** Number of requests so far. */
  requests = 0
  readonly #setup: StackSetup
  readonly #costs: Costs
  readonly #drawFactor: () => number
  readonly #instances: readonly Instance[]
  readonly #upstream: Server
  readonly #client: Server
  readonly #sidecars: readonly Background[]

  /**
   * @param cores the cores of the app and its sidecars
   * @param others the cores of the clients and the upstream, which may be the same, or on other machines
   */
  constructor(agenda: Agenda, cores: Cores, others: Cores | Elsewhere, setup: StackSetup) {
    const { path, costs, instances, threads, workerPriority } = setup
    const { woken, steady } = costs
    this.#setup = setup
    this.#drawFactor = createVariation(setup.variation)
    this.#client = others.thread()
    this.#upstream = others.thread()
    const helpers: SimulatedThread[] = []
    this.#instances = Array.from({ length: instances }, () => {
      const mainThread = cores.thread()
      const pooled = Array.from({ length: path.jobs > 0 ? threads : 0 }, () => cores.thread(workerPriority))
      const own = Array.from({ length: HELPERS }, () => cores.thread())
      helpers.push(...own)
      return {
        mainThread,
        pool: pooled.length > 0 ? new SimulatedPool(mainThread, pooled, () => this.#visit('reply')) : null,
        helpers: new Background(agenda, own, steady.helpers, BURSTS_OF_HELPERS),
      }
    })
    const pools = this.#instances.flatMap(({ pool }) => pool?.threads ?? [])
    const [loggerTransport, apmAgent] = [cores.thread(), cores.thread()]
    this.parts = {
      mainThread: this.#instances.map(({ mainThread }) => mainThread),
      workers: path.works === 'workers' ? pools : [],
      rendering: path.works === 'rendering' ? pools : [],
      helpers,
      loggerTransport: [loggerTransport],
      apmAgent: [apmAgent],
      upstream: [this.#upstream],
      clients: [this.#client],
    }
    this.#sidecars = [
      new Background(agenda, [loggerTransport], steady.loggerTransport, BATCHES),
      new Background(agenda, [apmAgent], steady.apmAgent, BATCHES),
    ]
    workSteadily(agenda, [this.#client], steady.clients, TICK_MICROS)
    const coresOf = forEachPart(part => (isApart(part) ? others : cores))
    this.#costs = new Costs(agenda, {
      costs: woken,
      coresOf,
      parts: this.parts,
      countRequests: () => this.requests,
    })
  }

  /**
   * Sends one request on its way through the stack. The order is that of the real one:
   * client, main thread, upstream, main thread, pool, main thread, client.
   * @param connection the connections are divided among the instances in turn
   */
  request(connection: number, answered: () => void): void {
    this.requests++
    const instance = this.#instances[connection % this.#instances.length] as Instance
    const { path } = this.#setup
    const half = (this.#setup.costs.steady.clients.microsARequest * this.#drawFactor()) / 2
    const receive = () => this.#client.work(half, answered)
    const finish = () => {
      this.#leaveBehind(instance)
      receive()
    }
    const work = () => this.#doWork(instance, finish)
    const afterArrival = path.fetches === 'mainThread' ? () => this.#fetchOnMainThread(instance, work) : work
    this.#client.work(half, () => instance.mainThread.work(this.#visit('arrival'), afterArrival))
  }

  #fetchOnMainThread({ mainThread }: Instance, then: () => void): void {
    this.#askUpstream(1, () => mainThread.work(this.#visit('upstream'), then))
  }

  /** @param fetches number of calls to the upstream for one request */
  #askUpstream(fetches: number, then: () => void): void {
    this.#upstream.work(this.#drawMicros('upstream') / fetches, then)
  }

  /** Sends the jobs of the request to the pool, and goes on after the last reply. Without a pool the work is done already. */
  #doWork({ pool }: Instance, then: () => void): void {
    const { path } = this.#setup
    if (!pool || path.works === 'mainThread') return then()
    const isFetching = path.fetches === path.works
    let open = path.jobs
    for (let job = 0; job < path.jobs; job++) {
      const jobMicros = this.#drawMicros(path.works) / path.jobs
      pool.run(
        (thread, finished) => {
          if (!isFetching) thread.work(jobMicros, finished)
          else thread.work(0, () => this.#askUpstream(path.jobs, () => thread.work(jobMicros, finished)))
        },
        () => {
          if (--open === 0) then()
        },
      )
    }
  }

  /** The CPU time that a request needs of a part, as a piece of its work there would have it: it varies from piece to piece. */
  #drawMicros(part: WokenPart): number {
    return this.#costs.micros(part) * this.#drawFactor()
  }

  /** The CPU time of one visit of a request on the main thread. */
  #visit(name: Visit): number {
    return this.#drawMicros('mainThread') * shareOf(name, this.#setup.path)
  }

  /** Adds the work that nobody waits for: telemetry, log lines and garbage. */
  #leaveBehind(instance: Instance): void {
    instance.helpers.addRequest()
    for (const sidecar of this.#sidecars) sidecar.addRequest()
  }
}

/** The reasons why a request comes to the main thread. */
type Visit = 'arrival' | 'upstream' | 'reply'

/** With its heavy work on the main thread, a request uses this share of its time there when it arrives. */
const LIGHT_SHARE = 0.1

/**
 * The share of a visit in the CPU time of a request on the main thread. This is an assumption: heavy work is in the last
 * visit, otherwise all visits are alike.
 */
function shareOf(visit: Visit, { isHeavy, fetches, works, jobs }: RequestPath): number {
  const later = (fetches === 'mainThread' ? 1 : 0) + (works === 'mainThread' ? 0 : 1)
  if (later === 0) return 1
  if (isHeavy && works === 'mainThread') return visit === 'arrival' ? LIGHT_SHARE : 1 - LIGHT_SHARE
  return 1 / (1 + later) / (visit === 'reply' ? jobs : 1)
}
