import { UserError } from '../../lib/cli/user-error.ts'
import { findFreePort } from '../../lib/http/listen.ts'
import { record } from '../../lib/record.ts'
import { bytesToMiB } from '../../lib/units.ts'
import type { RunningStack } from '../../stack/stack.ts'
import { processNames } from '../generator/protocol.ts'
import { type Generated, generateLoad } from './generate-load.ts'
import { type GeneratorProcess, startGenerator } from './generator-process.ts'
import type { Ledger } from './ledger.ts'
import { type Row, withScenarioOf } from './rows.ts'
import type { Sample, SampleSettings } from './sample.ts'
import { type Probe, type ProbeEvent, type Subject, startSubject } from './subject.ts'
import { judgeSample } from './validity.ts'

let port: Promise<number> | undefined

/** The port of the live page: each sample has an apm-agent of its own, and all show their page at this port. */
export function findLivePort(): Promise<number> {
  port ??= findFreePort()
  return port
}

/** Measures a row on a fresh stack, and says whether the sample counts. */
export async function takeSample(
  row: Row,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
  probe?: Probe,
): Promise<Sample> {
  const { ledger, ...measured } = await measureFresh(row, round, settings, abort, probe)
  return judgeMeasured(row, round, measured, ledger, settings.acceptNoise)
}

/**
 * Starts a fresh stack, puts it under load, measures one window and stops it.
 * @throws Error when the stack does not start, answers wrongly before there is load, or cannot be measured
 */
export async function measureFresh(
  row: Row,
  round: number,
  chosen: SampleSettings,
  abort: AbortSignal,
  probe?: Probe,
): Promise<Measured & { readonly ledger: Ledger }> {
  const settings = withScenarioOf(row, chosen)
  const note = `${round === 0 ? 'profile' : `block ${round}`}: ${row.name}, ${settings.scenario}`
  const livePort = await findLivePort()
  const subject = await startSubject(row, settings, abort, { livePort, note, probe })
  try {
    await probe?.attach(subject.stack)
    let told: Promise<unknown> = Promise.resolve()
    const tell = (event: ProbeEvent) => {
      told = told.then(() => probe?.[event]())
      // A failure is reported when the window is over.
      told.catch(() => {})
    }
    const generator = startGenerator(abort, probe?.nodeFlags)
    const measured = await measureSubject(subject, round, settings, abort, generator, tell).finally(
      generator.kill,
    )
    await told
    probe?.detach()
    return { ...measured, ledger: await subject.stop() }
  } finally {
    probe?.detach()
    await subject.stop()
  }
}

/** What is measured while the stack still runs. */
export interface Measured {
  readonly generated: Generated
  /** Name of a process that was restarted; undefined when there was none. */
  readonly restarted: string | undefined
}

/** Puts load on a stack that has started, and measures one window. */
export async function measureSubject(
  { stack, row }: Subject,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
  generator: GeneratorProcess,
  onWindow?: (event: ProbeEvent) => void,
): Promise<Measured> {
  const generated = await Promise.race([
    generateLoad(stack, row, round, settings, abort, generator, onWindow),
    failWhenStackDies(stack),
  ])
  return { generated, restarted: stack.processes.find(({ restarts }) => restarts > 0)?.name }
}

/** Makes a sample, and says whether it counts. */
export function judgeMeasured(
  row: Row,
  round: number,
  { generated, restarted }: Measured,
  ledger: Ledger,
  acceptsNoise?: boolean,
): Sample {
  const { measurement: measured, beside, machine, memoryBytes } = generated
  const measurements = [measured, ...(beside ? [beside] : [])]
  const { reason, noise } = judgeSample({ row, measurements, machine, ledger, restarted }, acceptsNoise)
  const { responses, latencyMs, firstByteMs } = measured
  const isScheduled = beside?.latenessMs != null
  const answered = responses + (isScheduled ? 0 : (beside?.responses ?? 0))
  const perResponse = (amount: number) => amount / answered
  const perResponseIfKnown = (amount: number | null) => (amount === null ? null : perResponse(amount))
  const processMicros = record(processNames, name => perResponse(measured.processMicros[name]))
  const perSecond = (count: number) => (count / measured.durationMs) * 1000
  return {
    round,
    valid: reason === null,
    reason,
    noise,
    responses,
    goodput: perSecond(responses),
    otherAnswers: {
      refused: perSecond(measured.inWindow.refused),
      failed: perSecond(measured.inWindow.error),
    },
    mainThreadMicros: perResponse(measured.mainThreadMicros),
    wakeups: perResponseIfKnown(measured.mainThreadWakeups),
    allocatedBytes: perResponseIfKnown(measured.mainThreadAllocatedBytes),
    totalMicros: processNames.reduce((sum, name) => sum + processMicros[name], 0),
    processMicros,
    mainThreadUtilization: measured.mainThreadUtilization,
    latencyMs,
    firstByteMs,
    errors: measured.errors + (beside?.errors ?? 0),
    wrongBodies: measured.wrongBodies + (beside?.wrongBodies ?? 0),
    memoryMiB: memoryBytes === null ? null : bytesToMiB(memoryBytes),
    machine,
    besideGoodput: beside ? perSecond(beside.responses) : null,
    besideLatencyMs: isScheduled ? beside.latencyMs : null,
    ledger,
  }
}

/** Throws when the app or orders ends. A sidecar may end: its restart makes the sample invalid. */
async function failWhenStackDies({ processes, failed }: RunningStack): Promise<never> {
  const needed = processes.filter(({ name }) => name === 'app' || name === 'orders')
  throw new UserError(await Promise.race([failed, ...needed.map(({ died }) => died)]))
}
