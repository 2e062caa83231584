import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentOptions } from '../apm-agent/options.ts'
import type { Composition } from '../app/concerns.ts'
import { type AppConfig, appOptions } from '../app/config.ts'
import { randomToken } from '../app/faults/random-token.ts'
import { isNeeded } from '../app/sidecars.ts'
import { toFlags, withoutOptions } from '../lib/command-line.ts'
import type { Values } from '../lib/options.ts'
import { sumCounts } from '../lib/processes/counts.ts'
import { STACK_DIRECTORY } from '../lib/processes/join-stack.ts'
import type { Counts, MemberMessage } from '../lib/processes/protocol.ts'
import type { RunningProcess } from '../lib/processes/start-process.ts'
import { type SupervisedProcess, superviseProcess } from '../lib/processes/supervise-process.ts'
import { parseDurationMs } from '../lib/units.ts'
import { UserError } from '../lib/user-error.ts'
import { transportOptions } from '../logger-transport/options.ts'
import { ordersOptions } from '../orders/options.ts'
import { Breaker } from './breaker.ts'
import { permissionFlags } from './permissions.ts'

const DRAIN_MS = parseDurationMs(appOptions.drainTimeoutMs.default) as number
/** Beyond the drain: flushing logs and telemetry. */
export const STOP_MARGIN_MS = 10_000

/** The processes of one composition, all listening. One that dies is started again. */
export interface Stack {
  readonly processes: readonly SupervisedProcess[]
  /** URL of a process's server. */
  address(process: string, server?: string): string
  /** Resolves, saying what happened, when a process died again and again and is given up. */
  readonly failed: Promise<string>
  /** Ends the processes in order, the app first, and answers what they counted. */
  stop(): Promise<Counts>
}

export interface StackOptions {
  readonly composition: Composition
  readonly app?: Partial<AppConfig>
  /** Flags of Node.js for the app. With `--inspect=…` it has an address `inspector`. */
  readonly appNodeFlags?: readonly string[] | undefined
  readonly orders?: Partial<Values<typeof ordersOptions>>
  readonly apmAgent?: Partial<Values<typeof agentOptions>>
  readonly loggerTransport?: Partial<Values<typeof transportOptions>>
  /** How many connections are kept busy with `/demo`; none unless given. */
  readonly load?: number | undefined
  /** Whether what the processes write to stderr is passed on. */
  readonly echo?: boolean
  /** Raised, all processes are killed at once, also those that are just being started, and nothing stays behind. */
  readonly kill?: AbortSignal
}

/**
 * Starts the sidecars that the composition needs, orders unless the app has another upstream, and the app. Ports are
 * free ones, and the socket of apm-agent lies in a directory of its own, unless given.
 * @throws UserError when one of them does not start; those already started are stopped
 */
export async function startStack({
  composition,
  app: { faultToken: givenToken, ...app } = {},
  appNodeFlags,
  orders,
  apmAgent,
  loggerTransport,
  load,
  echo = false,
  kill,
}: StackOptions): Promise<Stack> {
  // The same for an app that is started again.
  const faultToken = app.faults ? (givenToken ?? randomToken()) : undefined
  const processes: SupervisedProcess[] = []
  const breaker = new Breaker(processes)
  const stopping = new AbortController()
  const scratch = await makeScratch()
  const apmSocket = app.apmSocket ?? join(scratch, 'apm-agent.sock')
  const removeFiles = () => {
    rmSync(scratch, { recursive: true, force: true })
    rmSync(apmSocket, { force: true })
  }
  kill?.addEventListener('abort', removeFiles)
  const stop = async () => {
    stopping.abort()
    breaker.mendAll()
    const counts = await stopAll(processes)
    kill?.removeEventListener('abort', removeFiles)
    await rm(scratch, { recursive: true, force: true })
    return counts
  }
  // What is not given here has its default: a variable such as HOST is meant for the app alone, and a load test's
  // stacks must not depend on the environment.
  const env = {
    ...withoutOptions(process.env, appOptions, ordersOptions, agentOptions, transportOptions),
    [STACK_DIRECTORY]: scratch,
  }
  const stopLimitMs = (app.unreadyMs ?? 0) + (app.drainTimeoutMs ?? DRAIN_MS) + STOP_MARGIN_MS
  const start = async (name: string, path: string, values: Readonly<Record<string, unknown>>) => {
    const file = join(import.meta.dirname, '..', path)
    const nodeFlags = name === 'app' ? appNodeFlags : permissionFlags(name, values)
    // Command lines are for everyone to read.
    const secrets = name === 'app' && faultToken !== undefined ? { FAULT_TOKEN: faultToken } : {}
    const started = await superviseProcess({
      ...{ name, file, flags: toFlags(values), nodeFlags, echo, stopLimitMs, kill },
      env: { ...env, ...secrets },
      stopping: stopping.signal,
      onMessage: message => obey(message, processes, breaker),
    }).catch((error: Error) => {
      throw name === 'app' ? error : nameFlagOfStack(error, name)
    })
    processes.unshift(started)
    return started.addresses.http as string
  }
  const startServer = (name: string, values: Readonly<Record<string, unknown>>) =>
    start(name, `${name}/main.ts`, { port: 0, ...values })
  try {
    const { logDir, logFile } = app
    const loggerTransportUrl = isNeeded('logger-transport', { ...composition, logTo: app.logTo })
      ? await startServer('logger-transport', { ...loggerTransport, logDir, logFile })
      : undefined
    const ordersUrl = app.ordersUrl ?? (await startServer('orders', { ...orders }))
    const otlpUrl = isNeeded('apm-agent', composition)
      ? await startServer('apm-agent', { ...apmAgent, apmSocket, loggerTransportUrl })
      : undefined
    const url = await startServer('app', {
      adminPort: 0,
      ...app,
      ...composition,
      ordersUrl,
      otlpUrl,
      apmSocket,
    })
    if (load !== undefined)
      await start('load', 'loadtest/generator/steady.ts', { url, connections: load, liveUrl: otlpUrl })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    processes,
    address: (name, server = 'http') =>
      processes.find(each => each.name === name)?.addresses[server] as string,
    failed: Promise.race(processes.map(({ ended }) => ended)),
    stop,
  }
}

/** What a member knows as `--port` is an option of its own here: `--orders-port`. */
function nameFlagOfStack(error: Error, member: string): Error {
  if (!(error instanceof UserError)) return error
  return new UserError(error.message.replace(/(?<=with )--port$/, `--${member}-port`))
}

/** What the app asks of the stack: its fault switches break other processes. */
function obey(message: MemberMessage, processes: readonly SupervisedProcess[], breaker: Breaker): void {
  if (message.kind === 'mend') breaker.mend(message.id)
  if (message.kind !== 'break') return
  const app = processes.find(({ name }) => name === 'app')
  app?.tell({ kind: 'broken', id: message.id, refusal: breaker.break(message) })
}

/** One after the other: what a process flushes at its end must find its receiver. */
async function stopAll(processes: readonly RunningProcess[]): Promise<Counts> {
  const counts: Counts[] = []
  // One that was stopped by SIGSTOP hears nothing, and others would wait for it.
  for (const process of processes) process.signal('SIGCONT')
  for (const process of processes) counts.push(await process.stop())
  return sumCounts(counts)
}

/** @throws UserError */
async function makeScratch(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'stack-'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot make a directory in ${tmpdir()} (${code}); choose another with TMPDIR`)
  }
}
