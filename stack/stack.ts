import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { agentOptions } from '../apm-agent/options.ts'
import type { Composition } from '../app/concerns.ts'
import { type AppConfig, appOptions } from '../app/config.ts'
import { newFaultToken } from '../app/faults/fault-routes.ts'
import { tokenFileOf } from '../app/faults/token-file.ts'
import { isNeeded } from '../app/sidecars.ts'
import { toFlags } from '../lib/command-line.ts'
import { variableName, withoutOptions } from '../lib/option-variables.ts'
import type { Values } from '../lib/options.ts'
import { sumCounts } from '../lib/processes/counts.ts'
import { STACK_DIRECTORY } from '../lib/processes/join-stack.ts'
import type { Counts, MemberMessage } from '../lib/processes/protocol.ts'
import type { RunningProcess } from '../lib/processes/start-process.ts'
import { type SupervisedProcess, superviseProcess } from '../lib/processes/supervise-process.ts'
import { parseDurationMs } from '../lib/units.ts'
import { UserError } from '../lib/user-error.ts'
import { FINISH_LIMIT_MS, type transportOptions } from '../logger-transport/options.ts'
import type { ordersOptions } from '../orders/options.ts'
import { Breaker } from './breaker.ts'
import { nodeFlagsOf } from './node-flags.ts'

const DRAIN_MS = parseDurationMs(appOptions.drainTimeoutMs.default) as number
/** Extra time for flushing logs and telemetry after requests have ended. */
export const STOP_MARGIN_MS = 10_000

/** The processes of one composition, all listening. They are supervised: a process that dies is started again. */
export interface Stack {
  readonly processes: readonly SupervisedProcess[]
  /** The URL of a server of a process. */
  address(process: string, server?: string): string
  /** Resolves with a description when a process died repeatedly and is given up. */
  readonly failed: Promise<string>
  /** Stops the processes in order, the app first, and returns their counts. */
  stop(): Promise<Counts>
}

export interface StackOptions {
  readonly composition: Composition
  readonly app?: Partial<AppConfig>
  /** Flags of Node.js for the app. With `--inspect=…` the app has an address `inspector`. */
  readonly appNodeFlags?: readonly string[] | undefined
  /** The binary of Node.js that runs the app; by default that of this process, which runs all others. */
  readonly appExecPath?: string | undefined
  readonly orders?: Partial<Values<typeof ordersOptions>>
  readonly apmAgent?: Partial<Values<typeof agentOptions>>
  readonly loggerTransport?: Partial<Values<typeof transportOptions>>
  /** Number of connections that are kept busy with `/demo`; no load if absent. */
  readonly load?: number | undefined
  /** The environment of the processes, less the options of this project. The default is that of this process. */
  readonly environment?: NodeJS.ProcessEnv
  /** Whether stderr of the processes is passed on. */
  readonly echo?: boolean
  /** An abort during the start stops the processes that were started, in order. */
  readonly abort?: AbortSignal
  /** An abort kills all processes at once, even those that are just starting, and nothing stays behind. */
  readonly kill?: AbortSignal
}

/**
 * Starts the sidecars that the composition needs, the app, and orders unless the app has another upstream. Ports are
 * free ones and the socket of apm-agent is in a directory of its own, unless the options name them.
 * @throws UserError when a process does not start, or the reason of `abort`; those already started are stopped
 */
export async function startStack({
  composition,
  app: { faultToken: givenToken, ...app } = {},
  appNodeFlags,
  appExecPath,
  orders,
  apmAgent,
  loggerTransport,
  load,
  environment = process.env,
  echo = false,
  abort,
  kill,
}: StackOptions): Promise<Stack> {
  // An app that is started again gets the same token.
  const faultToken = app.faults ? (givenToken ?? newFaultToken()) : undefined
  const processes: SupervisedProcess[] = []
  const breaker = new Breaker(processes)
  const stopping = new AbortController()
  const scratch = await makeScratch()
  const apmSocket = app.apmSocket ?? join(scratch, 'apm-agent.sock')
  const removeFiles = () => {
    rmSync(scratch, { recursive: true, force: true })
    rmSync(apmSocket, { force: true })
    const admin = processes.find(({ name }) => name === 'app')?.addresses.admin
    if (admin) rmSync(tokenFileOf(apmSocket, admin), { force: true })
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
  // Options that are not given here have their defaults. Otherwise a variable such as DMT_HOST, which is meant for the
  // app alone, would reach every process, and the stacks of a load test would depend on the environment.
  const env = { ...withoutOptions(environment), [STACK_DIRECTORY]: scratch }
  const drainMs = (app.unreadyMs ?? 0) + (app.drainTimeoutMs ?? DRAIN_MS)
  const stopLimitMs = Math.max(drainMs, FINISH_LIMIT_MS) + STOP_MARGIN_MS
  const start = async (name: string, path: string, values: Readonly<Record<string, unknown>>) => {
    abort?.throwIfAborted()
    const file = join(import.meta.dirname, '..', path)
    const isApp = name === 'app'
    const nodeFlags = isApp ? appNodeFlags : nodeFlagsOf(name, values)
    const execPath = isApp ? appExecPath : undefined
    // The token is not a flag, because every user of the machine can read command lines.
    const secrets = isApp && faultToken !== undefined ? { [variableName('faultToken')]: faultToken } : {}
    const started = await superviseProcess({
      ...{ name, file, flags: toFlags(values), nodeFlags, execPath, echo, stopLimitMs, kill },
      env: { ...env, ...secrets },
      stopping: stopping.signal,
      onMessage: message => obey(message, processes, breaker),
    }).catch((error: Error) => {
      throw isApp ? error : nameFlagOfStack(error, name)
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

/** Replaces `--port` of a process in an error message by the option of the stack, such as `--orders-port`. */
function nameFlagOfStack(error: Error, member: string): Error {
  if (!(error instanceof UserError)) return error
  return new UserError(error.message.replace(/(?<=with )--port$/, `--${member}-port`))
}

/** Handles messages of the app, whose fault switches break other processes of the stack. */
function obey(message: MemberMessage, processes: readonly SupervisedProcess[], breaker: Breaker): void {
  if (message.kind === 'mend') breaker.mend(message.id)
  if (message.kind !== 'break') return
  const app = processes.find(({ name }) => name === 'app')
  app?.tell({ kind: 'broken', id: message.id, refusal: breaker.break(message) })
}

/** Stops the processes one after the other, because a process sends data to a later one when it flushes. */
async function stopAll(processes: readonly RunningProcess[]): Promise<Counts> {
  const counts: Counts[] = []
  // A process that was stopped with SIGSTOP cannot react, and other processes would wait for it.
  for (const process of processes) process.signal('SIGCONT')
  for (const process of processes) counts.push(await process.stop())
  return sumCounts(counts)
}

/** @throws UserError when the directory cannot be made */
async function makeScratch(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'stack-'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot make a directory in ${tmpdir()} (${code}); choose another with TMPDIR`)
  }
}
