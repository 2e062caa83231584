import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
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
import type { Counts } from '../lib/processes/protocol.ts'
import { INHERITED_FD, type ProcessOptions } from '../lib/processes/start-process.ts'
import { type SupervisedProcess, superviseProcess } from '../lib/processes/supervise-process.ts'
import { parseDurationMs } from '../lib/units.ts'
import { FINISH_LIMIT_MS, type transportOptions } from '../logger-transport/options.ts'
import type { ordersOptions } from '../orders/options.ts'
import { Breaker } from './breaker.ts'
import { startCompanions } from './companions.ts'
import { holdPort } from './held-port.ts'
import { nameFlagOfStack } from './name-flag.ts'
import { nodeFlagsOf } from './node-flags.ts'
import { makeScratch } from './scratch.ts'
import { stopAll } from './stop-all.ts'

const DRAIN_MS = parseDurationMs(appOptions.drainTimeoutMs.default) as number
/** Extra time for flushing logs and telemetry after requests have ended. */
export const STOP_MARGIN_MS = 10_000

/** Processes that listen. They are supervised: a process that dies is started again. */
export interface RunningStack {
  readonly processes: readonly SupervisedProcess[]
  /** The URL of a server of a process. */
  address(process: string, server?: string): string
  /** Resolves with a description when a process died repeatedly and is given up. */
  readonly failed: Promise<string>
  /** Stops the processes in order, the app first, and returns their counts. */
  stop(): Promise<Counts>
}

/** The processes of one composition. */
export interface Stack extends RunningStack {
  /**
   * Replaces the app by one with another of the `compositions`. The new app starts on the same port and the old one
   * then finishes its requests, so no request fails; the sidecars stay. Resolves when the old app has ended.
   * @throws UserError when the new app does not start; the old one then goes on
   */
  replaceApp(composition: Composition): Promise<void>
}

export interface StackOptions {
  readonly composition: Composition
  /**
   * The compositions that may replace the first. The stack then holds the port of the app, whose host has to be an IP
   * address, and starts the sidecars that any of them needs.
   */
  readonly compositions?: readonly Composition[]
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
  compositions = [],
  app: { faultToken: givenToken, nats, ...app } = {},
  appNodeFlags = [],
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
  const replaced: Counts[] = []
  const failed = Promise.withResolvers<string>()
  const held = compositions.length > 0 ? holdPort(app) : undefined
  const needs = (name: string) =>
    [composition, ...compositions].some(each => isNeeded(name, { ...each, logTo: app.logTo }))
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
    await replacing.catch(() => {})
    const counts = sumCounts([...replaced, await stopAll(processes)])
    held?.release()
    kill?.removeEventListener('abort', removeFiles)
    await rm(scratch, { recursive: true, force: true })
    return counts
  }
  // Options that are not given here have their defaults. Otherwise a variable such as DMT_HOST, which is meant for the
  // app alone, would reach every process, and the stacks of a load test would depend on the environment.
  const env = { ...withoutOptions(environment), [STACK_DIRECTORY]: scratch }
  const drainMs = (app.unreadyMs ?? 0) + (app.drainTimeoutMs ?? DRAIN_MS)
  const stopLimitMs = Math.max(drainMs, FINISH_LIMIT_MS) + STOP_MARGIN_MS
  // Secrets are no flags, because every user of the machine can read command lines.
  const secrets = faultToken === undefined ? {} : { [variableName('faultToken')]: faultToken }
  const supervise = async (member: ProcessOptions) => {
    abort?.throwIfAborted()
    const started = await superviseProcess({
      ...{ stopLimitMs, kill, stopping: stopping.signal },
      ...member,
      onMessage: message => breaker.obey(message),
    })
    processes.unshift(started)
    void started.ended.then(end => processes.includes(started) && failed.resolve(end))
    return started
  }
  const start = async (name: string, path: string, values: Readonly<Record<string, unknown>>) => {
    const file = join(import.meta.dirname, '..', path)
    const isApp = name === 'app'
    const nodeFlags = [...nodeFlagsOf(name, values), ...(isApp ? appNodeFlags : [])]
    const execPath = isApp ? appExecPath : undefined
    const { addresses } = await supervise({
      ...{ name, file, flags: toFlags(values), nodeFlags, execPath, echo },
      inherits: isApp ? held?.fd : undefined,
      env: isApp ? { ...env, ...secrets } : env,
    }).catch((error: Error) => {
      throw isApp ? error : nameFlagOfStack(error, name)
    })
    return addresses.http as string
  }
  const startServer = (name: string, values: Readonly<Record<string, unknown>>) =>
    start(name, `${name}/main.ts`, { port: 0, ...values })
  let startApp: (chosen: Composition) => Promise<string>
  let replacing: Promise<void> = Promise.resolve()
  async function replace(next: Composition): Promise<void> {
    const old = processes.find(({ name }) => name === 'app') as SupervisedProcess
    await startApp(next)
    processes.splice(processes.indexOf(old), 1)
    replaced.push(await old.stop())
  }
  try {
    const { logDir, logFile } = app
    const loggerTransportUrl = needs('logger-transport')
      ? await startServer('logger-transport', { ...loggerTransport, logDir, logFile })
      : undefined
    const ordersUrl = app.ordersUrl ?? (await startServer('orders', { ...orders }))
    const otlpUrl = needs('apm-agent')
      ? await startServer('apm-agent', { ...apmAgent, apmSocket, loggerTransportUrl })
      : undefined
    const variables = await startCompanions([composition, ...compositions], {
      app: { ...app, nats },
      directory: scratch,
      startMember: (member, own) => supervise({ ...member, echo, env: { ...env, ...own } }),
    })
    Object.assign(secrets, variables)
    startApp = chosen =>
      startServer('app', {
        ...{ adminPort: 0, ...app, ...chosen },
        ...{ ordersUrl, otlpUrl, apmSocket, listenFd: held && INHERITED_FD },
      })
    const url = await startApp(composition)
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
    replaceApp(next) {
      replacing = replacing.catch(() => {}).then(() => replace(next))
      return replacing
    },
    failed: failed.promise,
    stop,
  }
}
