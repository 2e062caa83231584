import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chooseCoresApart } from '../../sample/cores.ts'
import { startGenerator } from '../../sample/generator-process.ts'
import type { Ledger } from '../../sample/ledger.ts'
import { findLivePort } from '../../sample/live-port.ts'
import type { ProbeEvent } from '../../sample/probe.ts'
import { type Row, type RowCores, warmupSecondsOf } from '../../sample/rows.ts'
import type { CoresUse, Sample } from '../../sample/sample.ts'
import type { SampleSettings } from '../../sample/settings.ts'
import { startSubject } from '../../sample/subject.ts'
import { judgeMeasured, type Measured, measureSubject, takeSample } from '../../sample/take-sample.ts'
import { mean } from '../../statistics/estimate.ts'
import { watchCores } from './cores-use.ts'
import { SlowMotion } from './slow-motion.ts'

/**
 * The default time under load at full speed, for each core. Every thread of a pool compiles its own code, and warms up with the
 * requests that it gets.
 */
export const WARMUP_MS = 3000
/** From this share of the machine's CPU time on, the host of a virtual machine disturbs a sample. */
const NOISY_STEAL = 0.05
/** The time in which a load becomes steady after a change of speed, by the clock of the stack. */
const STEADY_SECONDS = 0.25
/** The windows in slow motion of a stack that is compared with itself at full speed. */
const VALIDATED_WINDOWS = 2
/** The length of a window at full speed. A virtual machine changes its speed from second to second, so a shorter one scatters. */
const REAL_SECONDS = 2

let motion: SlowMotion | undefined

/**
 * Makes the control groups, once for this process.
 * @throws UserError when this system, or this user, cannot make them
 */
export function prepareSlowMotion(): SlowMotion {
  motion ??= new SlowMotion()
  return motion
}

/** Takes a sample on the cores of the row. */
export function takeOnCores(
  row: Row,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<Sample> {
  const { cores } = row
  if (!cores) return takeSample(row, round, settings, abort)
  const onReal = cores.speed === 1 || cores.validates
  const own = {
    ...settings,
    warmupSeconds: warmupSecondsOf(row, settings),
    cores: onReal ? chooseCoresApart(cores.count) : null,
  }
  return cores.speed < 1 ? takeByClock(row, cores, round, own, abort) : takeSample(row, round, own, abort)
}

/**
 * Starts a fresh stack, warms it up at full speed, and measures it in slow motion. The clocks of the stack and of the load
 * generator run as slowly as the cores, so the sample is what cores of full speed would give. A row that validates is
 * measured at full speed, too: before, between and after its windows in slow motion, so that the process is the same and
 * the machine has hardly changed.
 */
async function takeByClock(
  row: Row,
  cores: RowCores,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<Sample> {
  const motion = prepareSlowMotion()
  const nodeFlags = slowClock(cores.speed)
  const note = `block ${round}: ${row.name}, ${settings.scenario}`
  const livePort = await findLivePort()
  const subject = await startSubject(row, settings, abort, { livePort, note, nodeFlags })
  const generator = startGenerator(abort, nodeFlags)
  const slowed = subject.stack.processes.filter(({ name }) => name !== 'orders')
  const windows = cores.validates ? VALIDATED_WINDOWS : 1
  const durationSeconds = settings.durationSeconds / windows
  const realSeconds = cores.validates ? REAL_SECONDS : 0
  let use = NOTHING_READ

  const measure = (
    times: Pick<SampleSettings, 'warmupSeconds' | 'durationSeconds'>,
    onWindow?: (event: ProbeEvent) => void,
  ) => measureSubject(subject, round, { ...settings, ...times }, abort, generator, onWindow)
  const measureReal = (seconds: number) =>
    measure({ warmupSeconds: seconds * cores.speed, durationSeconds: realSeconds * cores.speed })
  const measureSlow = async () => {
    motion.begin(slowed, cores)
    let read = () => NOTHING_READ
    const measured = await measure({ warmupSeconds: STEADY_SECONDS, durationSeconds }, event => {
      if (event === 'opened') read = watchCores(slowed, cores)
      else use = read()
    })
    motion.end()
    return measured
  }

  try {
    const real = [await measureReal(settings.warmupSeconds)]
    const slow: Measured[] = []
    while (slow.length < windows) {
      slow.push(await measureSlow())
      if (cores.validates) real.push(await measureReal(STEADY_SECONDS))
    }
    const realGoodput = cores.validates && { realGoodput: goodputOf(real) * cores.speed }
    return toSlowSample(row, round, joinWindows(slow), { ...use, ...realGoodput }, await subject.stop())
  } finally {
    motion.end()
    generator.kill()
    await subject.stop()
  }
}

/** Good responses a second of the clock, in all windows together. */
function goodputOf(windows: readonly Measured[]): number {
  const { measurement } = joinWindows(windows).generated
  return (measurement.responses / measurement.durationMs) * 1000
}

/** One measurement in place of several of equal length: every figure is the mean of theirs. */
function joinWindows(windows: readonly Measured[]): Measured {
  const last = windows.at(-1) as Measured
  const measurement = meanOf(windows.map(({ generated }) => generated.measurement))
  return {
    generated: { ...last.generated, measurement },
    restarted: windows.find(({ restarted }) => restarted)?.restarted,
  }
}

/** The mean of every number in objects of the same shape. */
function meanOf<Shape>(all: readonly Shape[]): Shape {
  const [first] = all
  if (typeof first === 'number') return mean(all as readonly number[]) as Shape
  if (typeof first !== 'object' || first === null) return first as Shape
  const keys = Object.keys(first) as (keyof Shape)[]
  return Object.fromEntries(keys.map(key => [key, meanOf(all.map(each => each[key]))])) as Shape
}

const NOTHING_READ: CoresUse = { all: Number.NaN, threads: [] }

/**
 * Makes a sample of what was measured in the control groups. Its stack weighs 250 times as much as its neighbours, so only the host
 * of a virtual machine can take cores from it. The event loop counts a thread that waits for its quota as busy, so utilization is
 * that of a core, by CPU time.
 */
function toSlowSample(
  row: Row,
  round: number,
  { generated, restarted }: Measured,
  cores: CoresUse,
  ledger: Ledger,
): Sample {
  const { machine } = generated
  const sample = judgeMeasured(row, round, { generated: { ...generated, machine: null }, restarted }, ledger)
  const { mainThreadMicros, goodput } = sample
  const stealShare = machine?.stealShare ?? 0
  return {
    ...sample,
    cores,
    machine,
    noise:
      stealShare > NOISY_STEAL ? `the host took ${(stealShare * 100).toFixed(0)} % of the CPU time` : null,
    mainThreadUtilization: (mainThreadMicros * goodput) / 1e6 / (row.app?.instances ?? 1),
  }
}

/** Flags of Node.js that let the clock of a process run at this speed. */
function slowClock(speed: number): string[] {
  const file = pathToFileURL(join(import.meta.dirname, 'slow-clock.ts'))
  return ['--import', `${file}?speed=${speed}`]
}
