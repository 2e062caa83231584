import { record } from '../../lib/record.ts'
import { pause } from '../../loadtest/generator/load.ts'
import { readWaiting } from '../../loadtest/sample/threads.ts'
import { describeFailures, failuresOf, type Load, type LoadFigures } from '../load/load.ts'
import type { Request } from '../load/requests.ts'
import { isNode, treeMicros, watchDescendants } from '../process/proc.ts'
import type { Service } from '../process/start-service.ts'

export const names = ['before', 'after'] as const
export type Name = (typeof names)[number]

/** The same of both sides. */
export type Both<T> = Readonly<Record<Name, T>>

/** What is compared of a sample. */
export type Figures = Omit<Sample, 'reason' | 'generatorUtilization' | 'bodies'>

/** The samples of both sides of one block. */
export type Block = Both<Sample>

export interface SampleSettings {
  readonly connections: number
  readonly requests: readonly Request[]
  readonly acceptErrors: boolean
  readonly warmupMs: number
  readonly forMs: number
  readonly readyMs: number
}

/** The CPU time that a side and the load generator used in one turn of the side, and the responses of that turn. */
export type Turn = Pick<Counters, 'mainMicros' | 'generatorMicros' | 'responses'>
/** One fresh process under load. Micros are CPU microseconds for each good response; null if they are not known. */
export type Sample = ReturnType<RunningSide['sample']>

type Counters = ReturnType<typeof readCounters>
type Counter = keyof Counters

/** A side that runs. It has load in its turns only. */
export class RunningSide {
  readonly #service: Service
  readonly #load: Load
  #turns: Counters[] = []
  #findBusier: ReturnType<typeof watchDescendants> = () => undefined

  constructor(service: Service, load: Load) {
    this.#service = service
    this.#load = load
  }

  get pid(): number {
    return this.#service.pid
  }

  /** Forgets the turns so far, and counts those that follow. */
  reset(): void {
    this.#load.reset()
    this.#turns = []
    this.#findBusier = watchDescendants(this.pid)
  }

  /**
   * Sends requests for this long, and waits until all are answered.
   * @returns its time without that in which the service or the load generator waited for a core
   */
  async turn(durationMs: number, abort: AbortSignal): Promise<number> {
    const before = readCounters(this.#service, this.#load)
    this.#load.resume()
    await pause(durationMs, abort)
    await this.#load.pause()
    const after = readCounters(this.#service, this.#load)
    const turn = record(Object.keys(after) as Counter[], key => after[key] - before[key])
    this.#turns.push(turn)
    return turn.wallMs - turn.waitedMs
  }

  sample(acceptErrors: boolean) {
    const figures = this.#load.figures()
    const responses = figures.responses + (acceptErrors ? failuresOf(figures) : 0)
    const sum = (key: Counter) => this.#turns.reduce((total, turn) => total + turn[key], 0)
    const perResponse = (key: Counter) => (Number.isNaN(sum(key)) ? null : sum(key) / responses)
    // The main thread of another program, or one that leaves the work to a process that it has started, tells nothing.
    const isServing = isNode(this.#service.pid) && !this.#findBusier()
    const { p50, p99 } = figures.latencies.summary()
    const turns: readonly Turn[] = this.#turns
    return {
      /** Why the sample does not count; null if it counts. */
      reason: whyRefused(figures, acceptErrors),
      responsesPerSecond: (responses / sum('wallMs')) * 1000,
      mainThreadMicros: isServing ? perResponse('mainMicros') : null,
      /** Of the process and all processes that it has started. */
      totalMicros: perResponse('treeMicros'),
      p50Ms: p50,
      p99Ms: p99,
      /** CPU time of the load generator, whose work for a response is the same on both sides. */
      generatorMicros: sum('generatorMicros') / responses,
      /** Share of the time in which the load generator's event loop was busy. */
      generatorUtilization: sum('generatorMs') / sum('wallMs'),
      bodies: figures.bodies,
      /** In their order; those of the other side with the same places followed or went before at once. */
      turns,
    }
  }

  async stop(): Promise<void> {
    await this.#load.stop()
    await this.#service.stop()
  }
}

/** The counters of a side and of the load generator. One that the system does not tell is NaN, and so are its differences. */
function readCounters({ pid, root }: Service, load: Load) {
  const [main, generator] = [readWaiting([pid]), readWaiting([process.pid])]
  // Node.js 20 and 22 tell it of all threads only.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return {
    mainMicros: main ? main.ranNs / 1000 : Number.NaN,
    waitedMs: ((main?.waitedNs ?? 0) + (generator?.waitedNs ?? 0)) / 1e6,
    treeMicros: treeMicros(root) ?? Number.NaN,
    wallMs: performance.now(),
    responses: load.figures().responses,
    generatorMicros: user + system,
    generatorMs: performance.eventLoopUtilization().active,
  }
}

function whyRefused(figures: LoadFigures, acceptErrors: boolean): string | null {
  const failed = acceptErrors ? undefined : describeFailures(figures)
  if (failed) return `${failed}; --accept-errors counts such samples too`
  const isAnswered = figures.responses + failuresOf(figures) > 0
  return isAnswered ? null : 'no request was answered in the window'
}
