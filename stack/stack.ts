import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { agentOptions } from '../apm-agent/options.ts'
import type { Composition } from '../app/concerns.ts'
import { type AppConfig, appOptions } from '../app/config.ts'
import { newFaultToken } from '../app/server/faults/fault-routes.ts'
import { tokenFileOf } from '../app/server/faults/token-file.ts'
import { isNeeded } from '../app/sidecars.ts'
import { variableName, withoutOptions } from '../lib/cli/option-variables.ts'
import type { Values } from '../lib/cli/options.ts'
import { STACK_DIRECTORY } from '../lib/processes/join-stack.ts'
import type { Counts } from '../lib/processes/protocol.ts'
import { INHERITED_FD } from '../lib/processes/start-process.ts'
import type { SupervisedProcess } from '../lib/processes/supervise-process.ts'
import { parseDurationMs } from '../lib/units.ts'
import { FINISH_LIMIT_MS, type transportOptions } from '../logger-transport/options.ts'
import type { ordersOptions } from '../orders/options.ts'
import { startCompanions } from './companions.ts'
import { holdPort } from './held-port.ts'
import { Members } from './members.ts'
import type { SteadyScenario } from './scenarios.ts'
import { makeScratch } from './scratch.ts'

const DRAIN_MS = parseDurationMs(appOptions.drainTimeoutMs.default) as number
/** Extra time for flushing logs and telemetry after requests have ended. */
export const STOP_MARGIN_MS = 10_000

/** Processes that listen. They are supervised: a process that dies is started again. */
export interface RunningStack {
  readonly processes: readonly SupervisedProcess[]
  /** The URL of a server of a process. */
  address(process: string, server?: string): string
  /** Resolves with a description when the app died repeatedly and is given up. Without any other process it goes on. */
  readonly failed: Promise<string>
  /** Stops the processes in order, the app first, and returns their counts. */
  stop(): Promise<Counts>
}

/** The processes of one composition. */
export interface Stack extends RunningStack {
  /**
   * Replaces the app by one with another of the `compositions`, and with other options if some are given. The new app starts on the same port and the old one
   * then finishes its requests, so no request fails; the sidecars stay. Resolves when the old app has ended.
   * @throws UserError when the new app does not start; the old one then goes on
   */
  replaceApp(composition: Composition, changed?: Partial<AppConfig>): Promise<void>
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
  /** Flags of Node.js for all processes, beside those that each has anyway. */
  readonly nodeFlags?: readonly string[] | undefined
  /** The root of the project whose app runs; by default this project, whose other processes run in any case. */
  readonly appRoot?: string | undefined
  /** The binary of Node.js that runs the app; by default that of this process, which runs all others. */
  readonly appExecPath?: string | undefined
  readonly orders?: Partial<Values<typeof ordersOptions>>
  readonly apmAgent?: Partial<Values<typeof agentOptions>>
  readonly loggerTransport?: Partial<Values<typeof transportOptions>>
  /** Number of connections that are kept busy; no load if absent. */
  readonly load?: number | undefined
  /** What the load asks for; `/demo` if it is absent. */
  readonly scenario?: SteadyScenario
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
  appNodeFlags,
  nodeFlags,
  appExecPath,
  appRoot,
  orders,
  apmAgent,
  loggerTransport,
  load,
  scenario,
  environment = process.env,
  echo = false,
  abort,
  kill,
}: StackOptions): Promise<Stack> {
  const possible = [composition, ...compositions]
  const needs = (name: string) => possible.some(each => isNeeded(name, { ...each, logTo: app.logTo }))
  const held = compositions.length > 0 ? holdPort(app) : undefined
  const scratch = await makeScratch()
  const apmSocket = app.apmSocket ?? join(scratch, 'apm-agent.sock')
  const drainMs = (app.unreadyMs ?? 0) + (app.drainTimeoutMs ?? DRAIN_MS)
  const members = new Members({
    echo,
    abort,
    kill,
    nodeFlags,
    // Options that are not given here have their defaults. Otherwise a variable such as DMT_HOST, which is meant for the
    // app alone, would reach every process, and the stacks of a load test would depend on the environment.
    env: { ...withoutOptions(environment), [STACK_DIRECTORY]: scratch },
    stopLimitMs: Math.max(drainMs, FINISH_LIMIT_MS) + STOP_MARGIN_MS,
  })
  const removeFiles = () => {
    rmSync(scratch, { recursive: true, force: true })
    rmSync(apmSocket, { force: true })
    const admin = members.find('app')?.addresses.admin
    if (admin) rmSync(tokenFileOf(apmSocket, admin), { force: true })
  }
  kill?.addEventListener('abort', removeFiles)
  const stop = async () => {
    const counts = await members.stop()
    held?.release()
    kill?.removeEventListener('abort', removeFiles)
    await rm(scratch, { recursive: true, force: true })
    return counts
  }
  const startServer = (name: string, values: Readonly<Record<string, unknown>>) =>
    members.start(name, `${name}/main.ts`, { port: 0, ...values })
  let startApp: (chosen: Composition, changed?: Partial<AppConfig>) => Promise<string>
  try {
    const { logDir, logFile } = app
    const loggerTransportUrl = needs('logger-transport')
      ? await startServer('logger-transport', { ...loggerTransport, logDir, logFile })
      : undefined
    const ordersUrl = app.ordersUrl ?? (await startServer('orders', { ...orders }))
    const otlpUrl = needs('apm-agent')
      ? await startServer('apm-agent', { ...apmAgent, apmSocket, loggerTransportUrl })
      : undefined
    const variables = await startCompanions(possible, {
      app: { ...app, nats },
      directory: scratch,
      startMember: (member, env = {}) => members.add({ ...member, env }),
    })
    // An app that replaces another gets the same secrets. They are no flags, because every user of the machine can read
    // command lines.
    const faultToken = app.faults ? (givenToken ?? newFaultToken()) : undefined
    const secrets = faultToken === undefined ? {} : { [variableName('faultToken')]: faultToken }
    startApp = (chosen, changed) =>
      members.start(
        'app',
        'app/main.ts',
        {
          port: 0,
          adminPort: 0,
          ...app,
          ...changed,
          ...chosen,
          ordersUrl,
          otlpUrl,
          apmSocket,
          listenFd: held && INHERITED_FD,
        },
        {
          nodeFlags: appNodeFlags,
          execPath: appExecPath,
          root: appRoot,
          inherits: held?.fd,
          env: { ...secrets, ...variables },
        },
      )
    const url = await startApp(composition)
    if (load !== undefined)
      await members.start('load', 'loadtest/generator/steady.ts', {
        url,
        connections: load,
        scenario,
        liveUrl: otlpUrl,
      })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    processes: members.processes,
    address: (name, server = 'http') => members.find(name)?.addresses[server] as string,
    replaceApp: (next, changed) => members.replace('app', () => startApp(next, changed)),
    failed: members.failed,
    stop,
  }
}
