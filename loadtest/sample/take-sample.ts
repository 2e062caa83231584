import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutOtel } from '../../lib/otel-environment.ts'
import { record } from '../../lib/record.ts'
import { bytesToMiB } from '../../lib/units.ts'
import { UserError } from '../../lib/user-error.ts'
import { type RunningStack, startStack } from '../../stack/stack.ts'
import { startFloor } from '../floor/start-floor.ts'
import { constantWork } from '../generator/protocol.ts'
import { findNode } from '../nodes/installed.ts'
import { checkBodies } from './check-bodies.ts'
import { keepOnCores } from './cores.ts'
import { type Generated, generateLoad } from './generate-load.ts'
import { keepApart } from './keep-apart.ts'
import { type Ledger, LOG_FILE, readLedger } from './ledger.ts'
import type { Probe } from './probe.ts'
import type { Row } from './rows.ts'
import type { Sample } from './sample.ts'
import type { SampleSettings } from './settings.ts'
import { type Judgement, judgeSample } from './validity.ts'

/** Keeps all log files: no line may be deleted before the lines are counted. */
const KEEP_ALL = 100_000

/**
 * Starts a fresh stack, puts it under load, measures one window and stops it.
 * @param livePort port of the live page
 * @throws Error when the stack does not start, answers wrongly before there is load, or cannot be measured
 */
export async function takeSample(
  row: Row,
  round: number,
  settings: SampleSettings,
  abort: AbortSignal,
  livePort: number,
  probe?: Probe,
): Promise<Sample> {
  const directory = await mkdtemp(join(tmpdir(), 'loadtest-'))
  try {
    const stack = row.isFloor
      ? await startFloor(settings.scenario)
      : await startRow(row, round, settings, abort, livePort, probe, directory)
    let stopped: ReturnType<RunningStack['stop']> | undefined
    try {
      abort.throwIfAborted()
      if (settings.cores) keepOnCores(stack, settings.cores)
      await checkBodies(stack.address('app'), row.isFloor && [settings.scenario])
      if (settings.pin) keepApart(stack, row)
      abort.throwIfAborted()
      await probe?.attach(stack)
      const events = inTurn()
      const generated = await Promise.race([
        generateLoad(stack, row, round, settings, abort, event => events.add(() => probe?.[event]())),
        failWhenStackDies(stack),
      ])
      await events.done()
      probe?.detach()
      const restarted = stack.processes.find(({ restarts }) => restarts > 0)?.name
      stopped = stack.stop()
      const ledger = await readLedger(await stopped, directory)
      const measurements = [generated.measurement, ...(generated.beside ? [generated.beside] : [])]
      const evidence = { row, measurements, machine: generated.machine, ledger, restarted }
      return toSample(round, generated, ledger, judgeSample(evidence, settings.acceptNoise))
    } finally {
      probe?.detach()
      await (stopped ?? stack.stop())
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const startRow = (
  row: Row,
  round: number,
  { threads, scenario }: SampleSettings,
  abort: AbortSignal,
  livePort: number,
  probe: Probe | undefined,
  directory: string,
) =>
  startStack({
    composition: row.composition,
    app: { logFile: join(directory, LOG_FILE), logDir: join(directory, 'segments'), threads, ...row.app },
    environment: withoutOtel(process.env),
    appExecPath: row.node && findNode(row.node.version).path,
    appNodeFlags: [...(row.nodeFlags ?? []), ...(probe?.appNodeFlags ?? [])],
    loggerTransport: { keptFiles: KEEP_ALL },
    apmAgent: {
      port: livePort,
      next: 'next sample is starting',
      note: `${round === 0 ? 'profile' : `block ${round}`}: ${row.name}, ${scenario}`,
    },
    abort,
  })

/** Runs functions one after the other. A failure is reported when `done` is awaited. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    add(run: () => Promise<void> | undefined): void {
      last = last.then(run)
      last.catch(() => {})
    },
    done: () => last,
  }
}

function toSample(
  round: number,
  { measurement: measured, beside, machine, memoryBytes, threads }: Generated,
  ledger: Ledger,
  { reason, noise }: Judgement,
): Sample {
  const { responses, latencyMs, firstByteMs, latenessMs } = measured
  const isScheduled = beside?.latenessMs != null
  const answered = responses + (isScheduled ? 0 : (beside?.responses ?? 0))
  const perResponse = (amount: number) => amount / answered
  const perResponseIfKnown = (amount: number | null) => (amount === null ? null : perResponse(amount))
  const perSecond = (count: number) => (count / measured.durationMs) * 1000
  const { app, loggerTransport, apmAgent } = measured.processMicros
  return {
    round,
    valid: reason === null,
    reason,
    noise,
    responses,
    goodput: perSecond(responses),
    mainThreadMicros: perResponse(measured.mainThreadMicros),
    wakeups: perResponseIfKnown(measured.mainThreadWakeups),
    allocatedBytes: perResponseIfKnown(measured.mainThreadAllocatedBytes),
    collectionsPerResponse: perResponse(measured.mainThreadCollections),
    totalMicros: perResponse(app + loggerTransport + apmAgent),
    processMicros: {
      app: perResponse(app),
      loggerTransport: perResponse(loggerTransport),
      apmAgent: perResponse(apmAgent),
    },
    constantMicros: record(constantWork, work => perResponseIfKnown(measured.constantMicros[work])),
    mainThreadUtilization: measured.mainThreadUtilization,
    generatorUtilization: Math.max(measured.generatorUtilization, beside?.generatorUtilization ?? 0),
    latencyMs,
    firstByteMs,
    lastByteMs: latencyMs,
    latenessMs,
    errors: measured.errors + (beside?.errors ?? 0),
    wrongBodies: measured.wrongBodies + (beside?.wrongBodies ?? 0),
    residentMiB: bytesToMiB(measured.residentBytes),
    memoryMiB: memoryBytes === null ? null : bytesToMiB(memoryBytes),
    machine,
    threads: threads?.map(thread => ({ ...thread, cpuMicros: perResponse(thread.cpuMicros) })) ?? null,
    besideGoodput: beside ? perSecond(beside.responses) : null,
    besideLatencyMs: isScheduled ? beside.latencyMs : null,
    ledger,
  }
}

/**
 * Throws when the app or orders ends: nothing can be measured then. A sidecar may end: its restart makes the sample
 * invalid.
 */
async function failWhenStackDies({ processes, failed }: RunningStack): Promise<never> {
  const needed = processes.filter(({ name }) => name === 'app' || name === 'orders')
  throw new UserError(await Promise.race([failed, ...needed.map(({ died }) => died)]))
}
