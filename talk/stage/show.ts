import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appOptions } from '../../app/config.ts'
import { findStep, firstStep, type Step, steps } from '../../app/steps.ts'
import type { Values } from '../../lib/cli/options.ts'
import type { Threads } from '../../screen/live-messages.ts'
import type { StageCommand, StageMessage } from '../../screen/stage-messages.ts'
import { startStack } from '../../stack/stack.ts'
import { type SteadyScenario, steadyScenarios } from '../../stack/stack-options.ts'
import { after, Conductor, requireOne, type Stop } from './conductor.ts'
import { FaultSwitches } from './fault-switches.ts'
import { followAgent } from './follow.ts'
import { startLoad } from './load.ts'
import { startMeter } from './meter.ts'
import { watchNeighbours } from './neighbours.ts'
import type { stageOptions } from './options.ts'
import { describeSetting } from './setting.ts'

/** Without a tour on the command line, a tour that a key starts shows each step for this time. */
const TOUR_MS = 20_000

/**
 * An app that has just started answers slowly. Requests of clients that wait for answers then wait, and none is refused.
 * At a fixed rate, an overload can be shown: the app refuses early enough for health checks, which wait for a second.
 */
const MAX_WAIT_MS = { ofClients: 10_000, atRate: 300 }

/** The tour of the script: each step, then a page before and after it leaves the main thread, then the mix at both ends. */
function wholeTour(): Stop[] {
  const at = (scenario: SteadyScenario, shown: readonly Step[]): Stop[] =>
    shown.map(({ number: step }) => ({ step, scenario }))
  const rendering = steps.findIndex(({ name }) => name === 'rendering')
  return [
    ...at('demo', steps),
    ...at('page', steps.slice(rendering - 1, rendering + 1)),
    ...at('mix', [firstStep, ...steps.slice(-1)]),
  ]
}

interface Listeners {
  tell(message: StageMessage): void
  onTourEnd(): void
}

interface Show {
  /** @throws Error when the command cannot be obeyed */
  obey(command: StageCommand): Promise<void>
  /** Resolves with a description when a process died repeatedly and is given up. */
  readonly failed: Promise<string>
  stop(): Promise<void>
}

/**
 * Starts the stack, the load and the measurement, and tells everything that changes.
 * @throws UserError when a process does not start
 */
export async function startShow(
  {
    step: first,
    tour,
    whole,
    connections,
    rate,
    scenario,
    port,
    apmAgentPort,
    threads,
  }: Values<typeof stageOptions>,
  { tell, onTourEnd }: Listeners,
  { stop: { signal: abort }, kill }: { readonly stop: AbortController; readonly kill: AbortSignal },
): Promise<Show> {
  const directory = await mkdtemp(join(tmpdir(), 'stage-'))
  const removeFiles = () => rm(directory, { recursive: true, force: true })
  const { number, composition } = findStep(first) as Step
  const stack = await startStack({
    composition,
    compositions: steps.map(each => each.composition),
    app: {
      port,
      threads,
      faults: true,
      maxWaitMs: rate === undefined ? MAX_WAIT_MS.ofClients : MAX_WAIT_MS.atRate,
      logFile: join(directory, 'app.log'),
      logDir: join(directory, 'segments'),
    },
    apmAgent: { port: apmAgentPort, note: 'npm run stage' },
    // Each app compiles the same code again.
    environment: { ...process.env, NODE_COMPILE_CACHE: join(directory, 'compiled') },
    abort,
    kill,
  }).catch(async (error: unknown) => {
    await removeFiles()
    throw error
  })

  const numbers = steps.map(each => each.number)
  const load = startLoad({ url: stack.address('app'), connections, rate, scenario })
  const faults = new FaultSwitches(() => stack.address('app', 'admin'))
  const tellState = () =>
    tell({ kind: 'state', state: { ...conductor.state, scenario: load.scenario, faults: faults.list } })
  const overloads = appOptions.overload.choices
  const hasFault = () => faults.list.some(({ isOn }) => isOn)
  const ask = (scenario: SteadyScenario) => {
    load.ask(scenario)
    tellState()
  }
  const conductor = new Conductor({
    steps: numbers,
    overloads,
    first: { step: number, overload: overloads[0] as string },
    stops: whole ? wholeTour() : numbers.map(step => ({ step })),
    tourMs: tour ?? TOUR_MS,
    flip: async ({ step, overload }) => {
      await stack.replaceApp((findStep(String(step)) as Step).composition, {
        overload: overload as (typeof overloads)[number],
      })
      await faults.refresh()
    },
    ask,
    onChange: () => tellState(),
    onTourEnd,
  })
  const stopMeter = startMeter({
    window: load.window,
    admin: () => stack.address('app', 'admin'),
    app: stack.address('app'),
    shown: () => ({
      step: conductor.state.step,
      scenario: load.scenario,
      overload: conductor.state.overload,
      isBroken: hasFault(),
    }),
    onSecond(second) {
      tell({ kind: 'seconds', seconds: [second] })
      // A fault ends by itself.
      if (hasFault()) void faults.refresh().then(tellState, () => {})
    },
  })
  const stopListening = watchNeighbours(
    () => stack.processes.find(({ name }) => name === 'app')?.pid,
    reason => tell({ kind: 'noise', reason }),
  )
  const following = new AbortController()
  const onUpdate = ({ lanes, pools, ledger }: Threads) =>
    tell({ kind: 'update', update: { lanes, pools, ledger } })
  void followAgent(stack.address('apm-agent'), onUpdate, following.signal)

  tell({ kind: 'setting', setting: describeSetting(load.description, rate ?? null) })
  await faults.refresh()
  tellState()
  if (tour !== undefined) conductor.obey({ kind: 'tour' })
  return {
    async obey(command) {
      if (command.kind === 'ask') {
        const wanted = command.scenario ?? after(load.scenario, steadyScenarios)
        return ask(requireOne('scenario', wanted, steadyScenarios))
      }
      if (command.kind !== 'fault') return conductor.obey(command)
      await faults.toggle(command.name)
      tellState()
    },
    failed: stack.failed,
    async stop() {
      following.abort()
      stopMeter()
      stopListening()
      await conductor.close()
      await load.stop()
      await stack.stop()
      await removeFiles()
    },
  }
}
