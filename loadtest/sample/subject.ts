import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import { withoutOtel } from '../../lib/telemetry/otel-environment.ts'
import { type RunningStack, startStack } from '../../stack/stack.ts'
import { type ExpectedRequest, expectRequest, isRightBody } from '../generator/expected-requests.ts'
import { type ScenarioName, scenarioNames, scenarios } from '../generator/scenarios.ts'
import { getNode } from '../nodes/installed.ts'
import { rootOf } from './branches.ts'
import { keepOnCores } from './cores.ts'
import { handicapFlag } from './handicap.ts'
import { type Ledger, LOG_FILE, readLedger } from './ledger.ts'
import type { Row } from './rows.ts'
import type { SampleSettings } from './sample.ts'

/** No line may be deleted before the lines are counted. */
const KEEP_ALL = 100_000

/** A stack of one row, ready to be measured. */
export interface Subject {
  readonly row: Row
  readonly stack: RunningStack
  /** Stops the stack and counts what it has delivered. A second call has no effect, and the same result. */
  stop(): Promise<Ledger>
}

export interface SubjectOptions {
  /** Of the live page; a free one when absent. */
  readonly livePort?: number
  /** What the live page shows about this stack. */
  readonly note: string
  readonly probe?: Probe | undefined
}

/**
 * Starts a fresh stack, and compares its answers with the right ones.
 * @throws Error when the stack does not start, or answers wrongly
 */
export async function startSubject(
  row: Row,
  settings: SampleSettings,
  abort: AbortSignal,
  options: SubjectOptions,
): Promise<Subject> {
  const directory = await mkdtemp(join(tmpdir(), 'loadtest-'))
  const removeFiles = () => rm(directory, { recursive: true, force: true })
  const stack = await startRow(row, settings, abort, directory, options).catch(async error => {
    await removeFiles()
    throw error
  })
  let stopped: Promise<Ledger> | undefined
  let giveCoresBack = () => {}
  const stop = () => {
    stopped ??= stack
      .stop()
      .then(counts => readLedger(counts, directory))
      .finally(giveCoresBack)
      .finally(removeFiles)
    return stopped
  }
  try {
    abort.throwIfAborted()
    if (settings.cores) giveCoresBack = keepOnCores(stack, settings.cores)
    await checkAnswers(stack, row, settings)
    abort.throwIfAborted()
    return { row, stack, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Of a branch only the answers that are measured are compared, because it may lack others.
 * @throws UserError when it answers something else than this checkout
 */
async function checkAnswers(stack: RunningStack, row: Row, { scenario }: SampleSettings): Promise<void> {
  const url = stack.address('app')
  if (!row.branch) return checkBodies(url)
  await checkBodies(url, [scenario]).catch((error: Error) => {
    throw new UserError(`the branch ${row.branch?.name} cannot be measured: ${error.message}`)
  })
}

/**
 * Starts a fresh stack of a row, which writes its log files into `directory`.
 * @param settings without threads, the app has its own default
 */
export function startRow(
  row: Row,
  settings: Partial<Pick<SampleSettings, 'threads'>>,
  abort: AbortSignal,
  directory: string,
  { livePort = 0, note, probe }: SubjectOptions,
) {
  const { handicapPercent, ...app } = row.app ?? {}
  return startStack({
    composition: row.composition,
    app: {
      logFile: join(directory, LOG_FILE),
      logDir: join(directory, 'segments'),
      ...(settings.threads !== undefined && { threads: settings.threads }),
      ...app,
    },
    environment: withoutOtel(process.env),
    appExecPath: row.node && getNode(row.node.version).path,
    appRoot: row.branch && rootOf(row.branch),
    appNodeFlags: [
      ...(row.nodeFlags ?? []),
      ...(probe?.appNodeFlags ?? []),
      ...(handicapPercent ? [handicapFlag(handicapPercent)] : []),
    ],
    nodeFlags: probe?.nodeFlags,
    loggerTransport: { keptFiles: KEEP_ALL },
    apmAgent: { port: livePort, note },
    abort,
  })
}

/** Observes or changes the stack of one sample while it is under load. */
export interface Probe {
  /** Flags of Node.js that the app must be started with. */
  readonly appNodeFlags?: readonly string[]
  /** Flags of Node.js for all processes of the stack, and for the load generator. */
  readonly nodeFlags?: readonly string[]
  /** Called when the stack has started, and its load begins. */
  attach(stack: RunningStack): Promise<void>
  opened(): Promise<void>
  closed(): Promise<void>
  /** Called, perhaps twice, before the stack is stopped: a process with an inspected thread does not end. */
  detach(): void
}

export type ProbeEvent = 'opened' | 'closed'

/** Flags that open an inspector on a free port of loopback. */
export const INSPECTED = ['--inspect=127.0.0.1:0', '--inspect-publish-uid=http'] as const

/** Differs from the default. */
const SEED = 7

/**
 * Attempts before a route counts as wrong: an app that gets no core may refuse requests, and leave out late parts of a page.
 */
const ATTEMPTS = 10

/**
 * Requests the routes of these scenarios, by default of all, and compares each body with the expected one.
 * @throws Error when a route never answers as expected
 */
export async function checkBodies(
  url: string,
  names: readonly ScenarioName[] = scenarioNames,
): Promise<void> {
  for (const name of names) await checkBody(url, expectRequest(scenarios[name], SEED))
}

async function checkBody(origin: string, expected: ExpectedRequest): Promise<void> {
  const url = origin + expected.path
  let answer = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const response = await fetch(url, { headers: { accept: 'application/json' } })
    const received = await response.text()
    if (response.status === 200 && isRightBody(expected, received)) return
    answer = `${response.status} ${received.slice(0, 200)}`
  }
  throw new Error(
    `${url} answered ${ATTEMPTS} times otherwise, last with ${answer}, expected ${expected.body.slice(0, 200)}`,
  )
}
