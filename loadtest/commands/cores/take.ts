import { chooseCoresApart } from '../../sample/cores.ts'
import type { Ledger } from '../../sample/ledger.ts'
import { type Row, type RowCores, warmupSecondsOf } from '../../sample/rows.ts'
import type { CoresUse, Sample, SampleSettings } from '../../sample/sample.ts'
import { judgeMeasured, type Measured, takeSample } from '../../sample/take-sample.ts'
import { mean } from '../../statistics/estimate.ts'
import { type SlowWindow, StackByClock } from './stack-by-clock.ts'

/**
 * The default time under load at full speed, for each core. Every thread of a pool compiles its own code, and warms up with the
 * requests that it gets.
 */
export const WARMUP_MS = 3000
/** From this share of the machine's CPU time on, the host of a virtual machine disturbs a sample. */
const NOISY_STEAL = 0.05
/** The windows in slow motion of a stack that is compared with itself at full speed. */
const COMPARED_WINDOWS = 2
/** The time under load at full speed before a window of a stack that has warmed up. */
const LOADED_SECONDS = 1

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
 * Starts a fresh stack, warms it up at full speed, slows it under its load, and measures a window. The clocks of the stack and of the
 * load generator run as slowly as the cores, so the sample is what cores of full speed would give.
 */
async function takeByClock(
  row: Row,
  cores: RowCores,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<Sample> {
  const stack = await StackByClock.start(row, cores, round, settings, abort)
  try {
    const { measured, use } = cores.validates
      ? await compareSpeeds(stack, settings)
      : await stack.measureSlow(settings.warmupSeconds, settings.durationSeconds)
    return toSlowSample(row, round, measured, use, await stack.stop())
  } finally {
    await stack.stop()
  }
}

/**
 * Measures a stack at full speed before, between and after its windows in slow motion, so that the process is the same and the machine
 * has hardly changed.
 */
async function compareSpeeds(
  stack: StackByClock,
  { warmupSeconds, durationSeconds }: SampleSettings,
): Promise<SlowWindow> {
  const real = [await stack.measureReal(warmupSeconds)]
  const slow: SlowWindow[] = []
  while (slow.length < COMPARED_WINDOWS) {
    slow.push(await stack.measureSlow(LOADED_SECONDS, durationSeconds / COMPARED_WINDOWS))
    real.push(await stack.measureReal(LOADED_SECONDS))
  }
  const { use } = slow.at(-1) as SlowWindow
  return {
    measured: joinWindows(slow.map(({ measured }) => measured)),
    use: { ...use, realGoodput: mean(real) },
  }
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
