import { startPatientLoop } from '../../loadtest/generator/closed-loop.ts'
import { LoadWindow } from '../../loadtest/generator/load-window.ts'
import { startOpenLoop } from '../../loadtest/generator/open-loop.ts'
import type { SteadyScenario } from '../../stack/stack-options.ts'

interface LoadOptions {
  readonly url: string
  readonly connections: number
  /** Requests a second; without it, each connection sends its next request once its last is answered. */
  readonly rate: number | undefined
  readonly scenario: SteadyScenario
}

interface StageLoad {
  /** Counts right answers, wrong ones and errors. */
  readonly window: LoadWindow
  readonly description: string
  readonly scenario: SteadyScenario
  /** Asks for something else from now on. The answers to requests already sent still count. */
  ask(scenario: SteadyScenario): void
  stop(): Promise<void>
}

/** Starts the load of the stage, in this process; its answers are checked. */
export function startLoad({ url, connections, rate, scenario }: LoadOptions): StageLoad {
  const window = new LoadWindow()
  window.open()
  const start = (scenario: SteadyScenario) => {
    const order = { url, connections, scenario, firstSeed: 1 }
    if (rate === undefined) return startPatientLoop(order, window)
    const load = { kind: 'open', ratePerSecond: rate, arrivals: 'constant', seed: 1 } as const
    const unmeasured = { load, warmupMs: 0, durationMs: 0, usageUrls: { app: '' } }
    return startOpenLoop({ ...order, ...unmeasured }, load, window).stop
  }
  let stop = start(scenario)
  let ended = Promise.resolve()
  return {
    window,
    description: rate === undefined ? `${connections} clients` : `${rate} requests a second`,
    get scenario() {
      return scenario
    },
    ask(next) {
      if (next === scenario) return
      const ending = stop()
      ended = ended.then(() => ending)
      scenario = next
      stop = start(next)
    },
    async stop() {
      await Promise.all([stop(), ended])
    },
  }
}
