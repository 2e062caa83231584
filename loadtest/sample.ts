import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToMiB } from '../lib/units.ts'
import { UserError } from '../lib/user-error.ts'
import { type Signal, type SignalCounts, signals } from '../stack/protocol.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { checkBodies } from './check-bodies.ts'
import { generateLoad } from './generate-load.ts'
import type { Settings } from './options.ts'
import type { Latency, Measurement } from './protocol.ts'
import type { Row } from './rows.ts'

/** One fresh stack under load for one measured window. Micros are CPU microseconds a good response. */
export interface Sample {
  readonly round: number
  readonly valid: boolean
  /** Why it is not valid. */
  readonly reason: string | null
  readonly responses: number
  /** Good responses a second. */
  readonly goodput: number
  readonly mainThreadMicros: number
  /** App and sidecars. */
  readonly totalMicros: number
  readonly processMicros: {
    readonly app: number
    readonly loggerTransport: number
    readonly apmAgent: number
  }
  readonly mainThreadUtilization: number
  readonly generatorUtilization: number
  readonly latencyMs: Latency
  readonly errors: number
  readonly wrongBodies: number
  readonly residentMiB: number
  readonly ledger: Ledger
}

const LOG_FILE = 'app.log'
const NEWLINE = 10
/** Every line must still be there when the lines are counted. */
const KEEP_ALL = 100_000

export type Ledger = Readonly<Record<Signal, SignalCounts>>

/** @throws when the stack does not start, answers wrongly before there is load, or cannot be measured */
export async function takeSample(
  row: Row,
  round: number,
  settings: Settings,
  abort: AbortSignal,
): Promise<Sample> {
  const directory = await mkdtemp(join(tmpdir(), 'loadtest-'))
  const logFile = join(directory, LOG_FILE)
  try {
    const stack = await startStack({
      composition: row.composition,
      app: { logFile, logDir: join(directory, 'segments'), threads: settings.threads },
      loggerTransport: { keptFiles: KEEP_ALL },
    })
    let stopped: ReturnType<Stack['stop']> | undefined
    try {
      abort.throwIfAborted()
      await checkBodies(stack.address('app'))
      abort.throwIfAborted()
      const measurement = await Promise.race([generateLoad(stack, settings, abort), failWhenStackDies(stack)])
      const restarted = stack.processes.find(({ restarts }) => restarts > 0)?.name
      stopped = stack.stop()
      const counts = await stopped
      const logLines = { ...counts.logLines, delivered: await countDelivered(directory) }
      const ledger = { ...counts, logLines } as Ledger
      const reason = restarted ? `${restarted} was restarted` : whyInvalid(measurement, ledger, row)
      return summarize(round, measurement, ledger, reason)
    } finally {
      await (stopped ?? stack.stop())
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function summarize(round: number, measured: Measurement, ledger: Ledger, reason: string | null): Sample {
  const { responses, errors, wrongBodies, latencyMs } = measured
  const perResponse = (micros: number) => micros / responses
  const { app, loggerTransport, apmAgent } = measured.processMicros
  return {
    round,
    valid: reason === null,
    reason,
    responses,
    goodput: (responses / measured.durationMs) * 1000,
    mainThreadMicros: perResponse(measured.mainThreadMicros),
    totalMicros: perResponse(app + loggerTransport + apmAgent),
    processMicros: {
      app: perResponse(app),
      loggerTransport: perResponse(loggerTransport),
      apmAgent: perResponse(apmAgent),
    },
    mainThreadUtilization: measured.mainThreadUtilization,
    generatorUtilization: measured.generatorUtilization,
    latencyMs,
    errors,
    wrongBodies,
    residentMiB: bytesToMiB(measured.residentBytes),
    ledger,
  }
}

function whyInvalid(
  { responses, errors, wrongBodies }: Measurement,
  ledger: Ledger,
  row: Row,
): string | null {
  if (errors > 0) return `${errors} errors`
  if (wrongBodies > 0) return `${wrongBodies} wrong bodies`
  if (responses === 0) return 'no good response in the window'
  for (const signal of signals) {
    const { emitted, delivered, dropped } = ledger[signal]
    const counts = `${emitted} emitted, ${delivered} delivered, ${dropped} dropped`
    if (emitted !== delivered + dropped) return `the ledger of ${signal} is open: ${counts}`
    const dropsAll = signal === 'logLines' && row.composition.logging === 'none'
    if (dropped > 0 && !dropsAll) return `not all ${signal} were delivered: ${counts}`
  }
  return null
}

async function failWhenStackDies(stack: Stack): Promise<never> {
  throw new UserError(await stack.failed)
}

/** Lines at the destination: in the log file and in what it was rotated to. */
async function countDelivered(directory: string): Promise<number> {
  const files = (await readdir(directory)).filter(name => name.startsWith(LOG_FILE))
  const counts = await Promise.all(files.map(name => countLines(join(directory, name))))
  return counts.reduce((total, lines) => total + lines, 0)
}

async function countLines(file: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(file)) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
  }
  return lines
}
