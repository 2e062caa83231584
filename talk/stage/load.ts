import { HdrLatencies } from '../../loadtest/generator/latencies.ts'
import { LoadWindow } from '../../loadtest/generator/load-window.ts'
import { startOpenLoop } from '../../loadtest/generator/open-loop.ts'
import { startPatientLoop } from '../../loadtest/generator/patient-loop.ts'

interface LoadOptions {
  readonly url: string
  readonly connections: number
  /** Requests a second; without it, each connection sends its next request once its last is answered. */
  readonly rate: number | undefined
}

interface StageLoad {
  /** Counts right answers, wrong ones and errors. */
  readonly window: LoadWindow
  readonly description: string
  stop(): Promise<void>
}

/** Starts the load of the stage, in this process: requests for `/demo`, whose answers are checked. */
export function startLoad({ url, connections, rate }: LoadOptions): StageLoad {
  const window = new LoadWindow(() => new HdrLatencies())
  const order = { url, connections, scenario: 'demo', firstSeed: 1 } as const
  window.open()
  if (rate === undefined)
    return {
      window,
      description: `${connections} clients ask without a pause`,
      stop: startPatientLoop(order, window),
    }
  const load = { kind: 'open', ratePerSecond: rate, arrivals: 'constant', seed: 1 } as const
  const unmeasured = { load, warmupMs: 0, durationMs: 0, usageUrls: { app: '' } }
  return {
    window,
    description: `${rate} requests a second`,
    stop: startOpenLoop({ ...order, ...unmeasured }, load, window).stop,
  }
}
