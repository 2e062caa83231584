import type { RunningStack } from '../../stack/stack.ts'
import type { Load, LoadOrder, Measurement, WindowEvent } from '../generator/protocol.ts'
import { FIRST_SEED, type ScenarioName } from '../generator/scenarios.ts'
import { LEAST_REQUESTS } from '../statistics/thresholds.ts'
import { type GeneratorProcess, startGenerator } from './generator-process.ts'
import {
  listChildren,
  type MachineUse,
  type Processes,
  readProcesses,
  readTreeMemory,
  watchMachine,
} from './machine.ts'
import type { Row } from './rows.ts'
import type { SampleSettings } from './sample.ts'
import type { ProbeEvent } from './subject.ts'

/**
 * In so much of the warm-up of an open loop, a closed loop sends more requests: at a low rate, V8 would not have optimized a
 * new process, as it has one that has run for an hour.
 */
const HEAT_SHARE = 0.8

export interface Generated {
  readonly measurement: Measurement
  /** Of the second load, which a generator of its own sends. */
  readonly beside: Measurement | null
  readonly machine: MachineUse | null
  /** When the window closed, read by {@link readMemory}. */
  readonly memoryBytes: number | null
}

/**
 * Puts load on a stack for one sample.
 * @param generator sends the measured load
 * @param onWindow called when the measured window has opened and when it has closed
 * @throws Error when a generator fails or `abort` is aborted
 */
export async function generateLoad(
  stack: RunningStack,
  row: Row,
  round: number,
  chosen: SampleSettings,
  abort: AbortSignal,
  generator: GeneratorProcess,
  onWindow: (event: ProbeEvent) => void = () => {},
): Promise<Generated> {
  const settings = withWindowFor(row, chosen)
  const { scenario, beside, besideRate } = settings
  let read = (): Seen => NOTHING_SEEN
  let seen = NOTHING_SEEN
  const watch = (event: WindowEvent) => {
    if (event === 'opening') read = watchStack(stack, row)
    else onWindow(event)
    if (event === 'closed') seen = read()
  }
  const order = orderOf(stack, settings, scenario, round, row.ratePerSecond)
  const [measurement, second] = await Promise.all([
    generator.measure(order, watch),
    beside === null
      ? null
      : measureBeside(
          { ...orderOf(stack, settings, beside, round, besideRate), isUrgent: besideRate != null },
          abort,
          generator.nodeFlags,
        ),
  ])
  return { measurement, beside: second, ...seen }
}

type Seen = Pick<Generated, 'machine' | 'memoryBytes'>
const NOTHING_SEEN: Seen = { machine: null, memoryBytes: null }

function watchStack(stack: RunningStack, row: Row): () => Seen {
  const before = readProcesses()
  const readMachine = watchMachine(findMainThreads(stack, row, before), before)
  return () => {
    const after = readProcesses()
    return { machine: readMachine(after), memoryBytes: readMemory(stack, after) }
  }
}

/** The second load has a generator of its own, with another priority. */
async function measureBeside(
  order: LoadOrder,
  abort: AbortSignal,
  nodeFlags: readonly string[],
): Promise<Measurement> {
  const generator = startGenerator(abort, nodeFlags)
  try {
    return await generator.measure(order)
  } finally {
    generator.kill()
  }
}

function readMemory({ processes }: RunningStack, all: Processes): number | null {
  const names: readonly string[] = ['app', ...Object.values(sidecars)]
  const measured = processes.filter(({ name }) => names.includes(name))
  const pids = measured.map(({ pid }) => pid)
  return readTreeMemory(pids, all)
}

/** The sidecars, by their names in results. Their CPU time and memory are part of the total. */
const sidecars = { loggerTransport: 'logger-transport', apmAgent: 'apm-agent' } as const

/** The order of a closed loop, without a rate, or of an open one. Every block has arrivals of its own. */
function orderOf(
  stack: RunningStack,
  { seed, connections, warmupSeconds, durationSeconds }: SampleSettings,
  scenario: ScenarioName,
  round: number,
  ratePerSecond: number | null | undefined,
): LoadOrder {
  const usageOf = (sidecar: string) => {
    const process = stack.processes.find(({ name }) => name === sidecar)
    return process && `${process.addresses.http}/usage`
  }
  const warmupMs = warmupSeconds * 1000
  const load: Load =
    ratePerSecond == null
      ? { kind: 'closed' }
      : { kind: 'open', ratePerSecond, arrivals: 'poisson', seed: seed + round }
  return {
    url: stack.address('app'),
    scenario,
    firstSeed: FIRST_SEED,
    connections,
    warmupMs,
    durationMs: durationSeconds * 1000,
    liveUrl: stack.address('apm-agent'),
    usageUrls: {
      app: `${stack.address('app', 'admin')}/usage`,
      loggerTransport: usageOf(sidecars.loggerTransport),
      apmAgent: usageOf(sidecars.apmAgent),
    },
    load,
    ...(load.kind === 'open' && { heatMs: warmupMs * HEAT_SHARE }),
  }
}

/** At a low rate the window is longer, so that enough requests are due in it. A load beside has the same window. */
export function withWindowFor<S extends Pick<SampleSettings, 'durationSeconds'>>(
  { ratePerSecond }: Pick<Row, 'ratePerSecond'>,
  settings: S,
): S {
  if (ratePerSecond === undefined) return settings
  const leastSeconds = LEAST_REQUESTS / ratePerSecond
  return { ...settings, durationSeconds: Math.max(settings.durationSeconds, leastSeconds) }
}

/** The ids of the threads that serve requests: the main thread of the app or, when it has instances, that of each. */
function findMainThreads({ processes }: RunningStack, { app }: Row, all: Processes): number[] {
  const pids = processes.filter(({ name }) => name === 'app').map(({ pid }) => pid)
  return (app?.instances ?? 1) === 1 ? pids : pids.flatMap(pid => listChildren(pid, all))
}
