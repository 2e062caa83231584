import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chooseCoresApart } from '../../sample/cores.ts'
import { listDescendants } from '../../sample/machine.ts'
import type { Row, RowCores } from '../../sample/rows.ts'
import type { CoresUse, Sample, SampleSettings } from '../../sample/sample.ts'
import { judgeMeasured, measureFresh, takeSample } from '../../sample/take-sample.ts'
import { readThreads } from '../../sample/threads.ts'
import { SlowMotion } from './slow-motion.ts'

/** For each core: every thread of a pool compiles its own code, and warms up with the requests that it gets. */
export const WARMUP_MS = 3000
/** By the clock of the stack, after a change of speed. */
const STEADY_SECONDS = 0.5
/** From this share of the machine's CPU time on, the host of a virtual machine disturbs a sample. */
const NOISY_STEAL = 0.05

let motion: SlowMotion | undefined

/**
 * Makes the control groups, once for this process.
 * @throws UserError when this system, or this user, cannot make them
 */
export function prepareSlowMotion(): SlowMotion {
  motion ??= new SlowMotion()
  return motion
}

export function takeOnCores(
  row: Row,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<Sample> {
  const { cores } = row
  if (!cores) return takeSample(row, round, settings, abort)
  const own = { ...settings, warmupSeconds: settings.warmupSeconds * cores.count }
  if (cores.speed < 1) return takeSlowly(row, cores, round, own, abort)
  return takeSample(row, round, { ...own, cores: chooseCoresApart(cores.count) }, abort)
}

const NOTHING_READ: CoresUse = { all: Number.NaN, threads: [] }

/**
 * Warms a fresh stack up at full speed, slows it under its load, and measures a window. The clocks of the stack and of the load
 * generator run as slowly as the cores, so the sample is what cores of full speed would give. Only the host of a virtual
 * machine can take cores from it, because its control groups come before all neighbours. The event loop counts a thread that
 * waits for its quota as busy, so utilization is that of a core, by CPU time.
 */
async function takeSlowly(
  row: Row,
  cores: RowCores,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<Sample> {
  const motion = prepareSlowMotion()
  const { warmupSeconds } = settings
  let slowing: NodeJS.Timeout | undefined
  let slowed: Parameters<typeof watchCores>[0] = []
  let readUse = () => NOTHING_READ
  let use = NOTHING_READ
  const byClock = { ...settings, warmupSeconds: warmupSeconds * cores.speed + STEADY_SECONDS }
  const { generated, restarted, ledger } = await measureFresh(row, round, byClock, abort, {
    nodeFlags: slowClock(cores.speed),
    async attach({ processes }) {
      slowed = processes.filter(({ name }) => name !== 'orders')
      slowing = setTimeout(() => motion.begin(slowed, cores), warmupSeconds * 1000)
    },
    async opened() {
      readUse = watchCores(slowed, cores)
    },
    async closed() {
      use = readUse()
    },
    detach() {
      clearTimeout(slowing)
      motion.end()
    },
  })
  const { machine } = generated
  const sample = judgeMeasured(row, round, { generated: { ...generated, machine: null }, restarted }, ledger)
  const { mainThreadMicros, goodput } = sample
  const stealShare = machine?.stealShare ?? 0
  return {
    ...sample,
    cores: use,
    machine,
    noise:
      stealShare > NOISY_STEAL ? `the host took ${(stealShare * 100).toFixed(0)} % of the CPU time` : null,
    mainThreadUtilization: (mainThreadMicros * goodput) / 1e6 / (row.app?.instances ?? 1),
  }
}

function slowClock(speed: number): string[] {
  const file = pathToFileURL(join(import.meta.dirname, 'slow-clock.ts'))
  return ['--import', `${file}?speed=${speed}`]
}

interface NamedProcess {
  readonly name: string
  readonly pid: number
}

/** With the CPU time that it has had, in nanoseconds. */
export interface ThreadReading {
  readonly process: string
  readonly thread: string
  readonly ranNs: number
}

type Reading = ReadonlyMap<string, ThreadReading>

/** @returns a function that tells how much of their cores the processes have used since then */
export function watchCores(processes: readonly NamedProcess[], cores: RowCores): () => CoresUse {
  const atMs = performance.now()
  const before = read(processes)
  return () => compareReadings(before, read(processes), performance.now() - atMs, cores)
}

const read = (processes: readonly NamedProcess[]): Reading =>
  new Map(
    processes.flatMap(({ name, pid }) =>
      [pid, ...listDescendants(pid)]
        .flatMap(readThreads)
        .map(({ id, thread, ranNs }) => [String(id), { process: name, thread, ranNs }] as const),
    ),
  )

/** @param elapsedMs real time between the two readings */
export function compareReadings(
  before: Reading,
  after: Reading,
  elapsedMs: number,
  { count, speed }: Pick<RowCores, 'count' | 'speed'>,
): CoresUse {
  const coreNs = elapsedMs * 1e6 * speed
  const shares = [...after].map(([id, { process, thread, ranNs }]) => ({
    process,
    thread,
    share: (ranNs - (before.get(id)?.ranNs ?? 0)) / coreNs,
  }))
  const sum = (some: typeof shares) => some.reduce((total, { share }) => total + share, 0)
  return {
    all: sum(shares) / count,
    threads: [...Map.groupBy(shares, ({ process, thread }) => `${process} ${thread}`).values()]
      .map(group => ({
        process: group[0]?.process as string,
        thread: group[0]?.thread as string,
        count: group.length,
        mean: sum(group) / group.length,
        busiest: Math.max(...group.map(({ share }) => share)),
      }))
      .toSorted((one, other) => other.mean - one.mean),
  }
}
