import type { findNoise } from '../../loadtest/sample/noise.ts'
import { describeFailures, failuresOf } from '../load/failures.ts'
import { type Load, type LoadFigures, type LoadOptions, startLoad } from '../load/load.ts'
import type { Request, Target } from '../load/request.ts'
import { watchDescendants } from '../process/busier.ts'
import { pause } from '../process/pause.ts'
import { isNode, mainThreadSchedule, mainThreadWakeUps, treeMicros } from '../process/proc.ts'
import type { Service } from '../process/start-service.ts'
import type { Sample, SampleSettings, Turn } from './sample.ts'

const NOTHING = { mainMicros: 0, treeMicros: 0, wakeUps: 0, wallMs: 0, generatorMicros: 0, generatorMs: 0 }

/** A side that runs. It has load in its turns only. */
export class RunningSide {
  readonly #service: Service
  readonly #load: Load
  #spent = { ...NOTHING }
  #turns: Turn[] = []
  #findBusier: ReturnType<typeof watchDescendants> = () => undefined

  constructor(service: Service, target: Target, requests: readonly Request[], options: LoadOptions) {
    this.#service = service
    this.#load = startLoad(target, requests, options)
    this.#load.pause()
  }

  get pid(): number {
    return this.#service.pid
  }

  /** Forgets the turns so far, and counts those that follow. */
  open(): void {
    this.#load.open()
    this.#spent = { ...NOTHING }
    this.#turns = []
    this.#findBusier = watchDescendants(this.pid)
  }

  /**
   * Sends requests for this long, and waits until all are answered.
   * @returns its time without that in which the service or the load generator waited for a core
   */
  async turn(durationMs: number, abort: AbortSignal): Promise<number> {
    const before = this.#read()
    const loop = performance.eventLoopUtilization()
    this.#load.resume()
    await pause(durationMs, abort)
    await this.#load.pause()
    const after = this.#read()
    this.#spent.generatorMs += performance.eventLoopUtilization(loop).active
    // A system that does not tell gives NaN, which stays.
    for (const key of ['mainMicros', 'treeMicros', 'wakeUps', 'wallMs', 'generatorMicros'] as const)
      this.#spent[key] += after[key] - before[key]
    this.#turns.push({
      mainMicros: after.mainMicros - before.mainMicros,
      generatorMicros: after.generatorMicros - before.generatorMicros,
      responses: after.responses - before.responses,
    })
    return after.wallMs - before.wallMs - (after.waitedMicros - before.waitedMicros) / 1000
  }

  #read() {
    // Node.js 20 and 22 tell it of all threads only.
    const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
    const schedule = mainThreadSchedule(this.pid)
    return {
      mainMicros: schedule?.ranMicros ?? Number.NaN,
      waitedMicros: (schedule?.waitedMicros ?? 0) + (mainThreadSchedule(process.pid)?.waitedMicros ?? 0),
      treeMicros: treeMicros(this.#service.root) ?? Number.NaN,
      wakeUps: mainThreadWakeUps(this.pid) ?? Number.NaN,
      wallMs: performance.now(),
      responses: this.#load.figures().responses,
      generatorMicros: user + system,
    }
  }

  sample({ acceptErrors }: SampleSettings, noise: ReturnType<typeof findNoise>): Sample {
    const figures = this.#load.figures()
    const responses = figures.responses + (acceptErrors ? failuresOf(figures) : 0)
    const { mainMicros, treeMicros, wakeUps, wallMs, generatorMicros, generatorMs } = this.#spent
    const perResponse = (value: number) => (Number.isNaN(value) ? null : value / responses)
    const ofMain = (value: number) => (isNode(this.pid) ? perResponse(value) : null)
    return {
      reason: whyRefused(figures, acceptErrors, noise),
      responsesPerSecond: (responses / wallMs) * 1000,
      mainThreadMicros: ofMain(mainMicros),
      wakeUps: ofMain(wakeUps),
      hasBusierChild: this.#findBusier() !== undefined,
      totalMicros: perResponse(treeMicros),
      p50Ms: figures.latencyMs.p50,
      p99Ms: figures.latencyMs.p99,
      generatorMicros: generatorMicros / responses,
      generatorUtilization: generatorMs / wallMs,
      bodies: new Map(figures.bodies),
      turns: this.#turns,
    }
  }

  async stop(): Promise<void> {
    await this.#load.stop()
    await this.#service.stop()
  }
}

function whyRefused(
  figures: LoadFigures,
  acceptErrors: boolean,
  noise: ReturnType<typeof findNoise>,
): string | null {
  const failed = acceptErrors ? undefined : describeFailures(figures)
  if (failed) return `${failed}; --accept-errors counts such samples too`
  if (figures.responses === 0 && failuresOf(figures) === 0) return 'no request was answered in the window'
  return noise?.refuses ? `${noise.reason}; --accept-noise counts noisy samples too` : null
}
