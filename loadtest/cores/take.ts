import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startGenerator } from '../sample/generator-process.ts'
import type { Ledger } from '../sample/ledger.ts'
import type { Row, SlowCores } from '../sample/rows.ts'
import type { CoresUse, Sample } from '../sample/sample.ts'
import type { SampleSettings } from '../sample/settings.ts'
import { type Subject, startSubject } from '../sample/subject.ts'
import { judgeMeasured, type Measured, measureSubject, takeSample } from '../sample/take-sample.ts'
import { watchCores } from './cores-use.ts'
import { SlowMotion } from './slow-motion.ts'

/** From this share of the machine's CPU time on, the host disturbs a sample. */
const NOISY_STEAL = 0.05
/** The shortest window; of the load at full speed, nothing but its warm-up is wanted. */
const SHORT_SECONDS = 0.1
/** The time in which a load becomes steady, in slow motion. */
const STEADY_SECONDS = 0.5

let motion: SlowMotion | undefined

/** Takes a sample in slow motion if the row has slow cores, and an ordinary one otherwise. */
export async function takeOnCores(
  row: Row,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
  livePort: number,
): Promise<Sample> {
  motion ??= new SlowMotion()
  return row.slow
    ? takeSlowly(motion, row, row.slow, round, settings, abort, livePort)
    : takeSample(row, round, settings, abort, livePort)
}

/**
 * Starts a fresh stack and warms it up at full speed. Then slows it, puts it under load again, and measures one window. The clocks
 * of the stack and of the load generator run as slowly as the cores, so the sample is what cores of full speed would give.
 */
async function takeSlowly(
  motion: SlowMotion,
  row: Row,
  slow: SlowCores,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
  livePort: number,
): Promise<Sample> {
  const nodeFlags = slowClock(slow.speed)
  const note = `block ${round}: ${row.name}, ${settings.scenario}`
  const subject = await startSubject(row, settings, abort, { livePort, note, nodeFlags })
  const warmer = startGenerator(abort)
  const generator = startGenerator(abort, nodeFlags)
  try {
    await measureSubject(subject, round, { ...settings, durationSeconds: SHORT_SECONDS }, abort, warmer)
    warmer.kill()
    const clients = slow.holdsClients ? [{ name: 'generator', pid: generator.pid }] : []
    const slowed = [...slowedProcesses(subject, slow), ...clients]
    motion.begin(slowed, slow)
    let read: () => CoresUse = () => ({ all: Number.NaN, threads: [] })
    let cores = read()
    const steady = { ...settings, warmupSeconds: STEADY_SECONDS }
    const measured = await measureSubject(subject, round, steady, abort, generator, event => {
      if (event === 'opened') read = watchCores(slowed, slow)
      else cores = read()
    })
    motion.end()
    return toSlowSample(row, slow, round, measured, cores, await subject.stop())
  } finally {
    motion.end()
    warmer.kill()
    generator.kill()
    await subject.stop()
  }
}

const slowedProcesses = ({ stack }: Subject, { holdsClients }: SlowCores) =>
  stack.processes.filter(({ name }) => holdsClients || name !== 'orders')

/**
 * Makes a sample of what was measured in slow motion. Its stack weighs a hundred times as much as its neighbours, which therefore
 * can take cores only as the host of a virtual machine does. The load test reads the CPU times of threads by its own clock, which
 * is not slow. The event loop counts a thread that waits for its quota as busy, so utilization is that of a core by CPU time.
 */
function toSlowSample(
  row: Row,
  { speed }: SlowCores,
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
    ...{ ...sample, cores, machine },
    noise: stealShare > NOISY_STEAL ? `the host took ${(stealShare * 100).toFixed(0)} % of the CPU time` : null,
    threads: sample.threads?.map(thread => ({ ...thread, cpuMicros: thread.cpuMicros / speed })) ?? null,
    mainThreadUtilization: (mainThreadMicros * goodput) / 1e6 / (row.app?.instances ?? 1),
  }
}

/** Flags of Node.js that let the clock of a process run at this speed. */
function slowClock(speed: number): string[] {
  const file = pathToFileURL(join(import.meta.dirname, 'slow-clock.ts'))
  return ['--import', `${file}?speed=${speed}`]
}
