import { findFreePort } from '../../lib/http/free-port.ts'
import { watchMachine } from '../../loadtest/sample/machine.ts'
import { findNoise } from '../../loadtest/sample/noise.ts'
import { describeFailures, failuresOf } from '../load/failures.ts'
import { type LoadFigures, type LoadOptions, startLoad } from '../load/load.ts'
import { locate } from '../load/locate.ts'
import type { Request, Target } from '../load/request.ts'
import { watchDescendants } from '../process/busier.ts'
import { pause } from '../process/pause.ts'
import { isNode, mainThreadMicros, treeMicros } from '../process/proc.ts'
import { type Service, startService } from '../process/start-service.ts'
import type { Side } from './side.ts'

/** One fresh process under load in one window. Micros are CPU microseconds for each good response. */
export interface Sample {
  /** The reason why the sample does not count; null if it counts. */
  readonly reason: string | null
  readonly responsesPerSecond: number
  /** Null if the program is not Node.js, or the system does not tell. */
  readonly mainThreadMicros: number | null
  /** Whether a process that the listening one has started did clearly more than it, as in a cluster. */
  readonly hasBusierChild: boolean
  /** Of the process and all processes that it has started; null if the system does not tell. */
  readonly totalMicros: number | null
  readonly p50Ms: number
  readonly p99Ms: number
  /** Share of the time in which the load generator's event loop was busy. */
  readonly generatorUtilization: number
  readonly bodies: LoadFigures['bodies']
}

export interface SampleSettings extends LoadOptions {
  readonly requests: readonly Request[]
  readonly http2: boolean
  readonly acceptErrors: boolean
  readonly warmupMs: number
  readonly forMs: number
  readonly readyMs: number
  /** Whether a sample counts however much the machine disturbed it. */
  readonly acceptNoise: boolean
}

/**
 * Starts a side on a free port, loads it, and measures it.
 * @throws UserError when it does not start
 */
export async function takeSample(
  { command, directory, path }: Side,
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<Sample> {
  const port = await findFreePort()
  const service = await startService(['sh', '-c', command.replaceAll('{port}', String(port))], {
    port,
    readyMs: settings.readyMs,
    directory,
    env: { ...process.env, PATH: path, PORT: String(port) },
    abort,
  })
  const origin = locate(new URL(`http://127.0.0.1:${port}`), service.address)
  try {
    return await measure(service, { origin, isHttp2: settings.http2 }, settings, abort)
  } finally {
    await service.stop()
  }
}

async function measure(
  { pid, root }: Service,
  target: Target,
  { warmupMs, forMs, acceptNoise, acceptErrors, requests, ...options }: SampleSettings,
  abort: AbortSignal,
): Promise<Sample> {
  const load = startLoad(target, requests, options)
  try {
    await pause(warmupMs, abort)
    const readMachine = watchMachine([pid])
    const findBusier = watchDescendants(pid)
    const before = readCpu(pid, root)
    const loop = performance.eventLoopUtilization()
    load.open()
    await pause(forMs, abort)
    const figures = load.figures()
    const after = readCpu(pid, root)
    const { latencyMs, bodies } = figures
    const responses = figures.responses + (acceptErrors ? failuresOf(figures) : 0)
    const tookMs = after.atMs - before.atMs
    const perResponse = (from: number | null, to: number | null) =>
      from === null || to === null ? null : (to - from) / responses
    return {
      reason: whyRefused(figures, acceptErrors, acceptNoise ? null : findNoise(readMachine())),
      responsesPerSecond: (responses / tookMs) * 1000,
      mainThreadMicros: isNode(pid) ? perResponse(before.mainMicros, after.mainMicros) : null,
      hasBusierChild: findBusier() !== undefined,
      totalMicros: perResponse(before.treeMicros, after.treeMicros),
      p50Ms: latencyMs.p50,
      p99Ms: latencyMs.p99,
      generatorUtilization: performance.eventLoopUtilization(loop).utilization,
      bodies: new Map(bodies),
    }
  } finally {
    await load.stop()
  }
}

const readCpu = (pid: number, root: number) => ({
  mainMicros: mainThreadMicros(pid),
  treeMicros: treeMicros(root),
  atMs: performance.now(),
})

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
