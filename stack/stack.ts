import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { BoundSocket } from 'node:net'
import { join } from 'node:path'
import { agentOptions } from '../apm-agent/options.ts'
import { type Composition, isNeeded } from '../app/concerns.ts'
import { type AppConfig, appOptions } from '../app/config.ts'
import { withoutOptions } from '../lib/cli/command-line.ts'
import { refusedPort } from '../lib/http/listen.ts'
import { makeTemporaryDirectory } from '../lib/os/private-directory.ts'
import { STACK_DIRECTORY } from '../lib/processes/oversight.ts'
import type { Counts } from '../lib/processes/protocol.ts'
import { INHERITED_FD } from '../lib/processes/start-process.ts'
import type { SupervisedProcess } from '../lib/processes/supervise-process.ts'
import { parseDurationMs } from '../lib/units.ts'
import { FINISH_LIMIT_MS, transportOptions } from '../logger-transport/options.ts'
import { ordersOptions } from '../orders/order.ts'
import { Members, type Program } from './members.ts'
import { startNats } from './nats.ts'
import type { StackOptions } from './stack-options.ts'

const DRAIN_MS = parseDurationMs(appOptions.drainTimeoutMs.default) as number
/** Extra time for flushing logs and telemetry after requests have ended. */
export const STOP_MARGIN_MS = 10_000

/** Processes that listen. They are supervised: a process that dies is started again. */
export interface RunningStack {
  readonly processes: readonly SupervisedProcess[]
  /** The URL of a server of a process. */
  address(process: string, server?: string): string
  /** Resolves with a description when the app died repeatedly and is given up. If another process is given up, the app goes on. */
  readonly failed: Promise<string>
  /** Stops the processes in order, the app first, and returns their counts. */
  stop(): Promise<Counts>
}

export interface Stack extends RunningStack {
  /**
   * Replaces the app by one with another of the `compositions`, and with other options if some are given. The new app starts on the same port and the old one
   * then finishes its requests, so no request fails; the sidecars stay. Resolves when the old app has ended.
   * @throws UserError when the new app does not start; the old one then goes on
   */
  replaceApp(composition: Composition, changed?: Partial<AppConfig>): Promise<void>
}

/**
 * Starts the sidecars that the composition needs, the app, and orders unless the app has another upstream. Ports are
 * free ones and the socket of apm-agent is in a directory of its own, unless the options name them.
 * @throws UserError when a process does not start, or the reason of `abort`; those already started are stopped
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stack = new ProcessStack(options)
  try {
    await stack.start()
    return stack
  } catch (error) {
    await stack.stop()
    throw error
  }
}

const programs = {
  orders: { name: 'orders', path: 'orders/main.ts', options: ordersOptions },
  'logger-transport': {
    name: 'logger-transport',
    path: 'logger-transport/main.ts',
    options: transportOptions,
  },
  'apm-agent': { name: 'apm-agent', path: 'apm-agent/main.ts', options: agentOptions },
  app: { name: 'app', path: 'app/main.ts', options: appOptions },
  /** Its options are addresses of this stack, and none is secret. */
  load: { name: 'load', path: 'loadtest/generator/steady.ts', options: {} },
} as const satisfies Record<string, Program>

class ProcessStack implements Stack {
  readonly #options: StackOptions
  /** The directory in which the processes meet. */
  readonly #scratch: string
  readonly #held: BoundSocket | undefined
  readonly #apmSocket: string
  readonly #members: Members
  /** Options that each app gets, and the caller does not choose: the addresses of the other processes. */
  #surroundings: { readonly values: Partial<AppConfig>; readonly env: NodeJS.ProcessEnv } = {
    values: {},
    env: {},
  }

  constructor(options: StackOptions) {
    const {
      app = {},
      compositions = [],
      environment = process.env,
      echo = false,
      abort,
      kill,
      nodeFlags,
    } = options
    const drainMs = (app.unreadyMs ?? 0) + (app.drainTimeoutMs ?? DRAIN_MS)
    this.#options = options
    this.#held = compositions.length > 0 ? holdPort(app) : undefined
    this.#scratch = makeTemporaryDirectory('stack-')
    this.#apmSocket = app.apmSocket ?? join(this.#scratch, 'apm-agent.sock')
    this.#members = new Members({
      echo,
      abort,
      kill,
      nodeFlags,
      // Options that are not given here have their defaults. Otherwise a variable such as DMT_HOST, which is meant for the
      // app alone, would reach every process, and the stacks of a load test would depend on the environment.
      env: { ...withoutOptions(environment), [STACK_DIRECTORY]: this.#scratch },
      stopLimitMs: Math.max(drainMs, FINISH_LIMIT_MS) + STOP_MARGIN_MS,
    })
    kill?.addEventListener('abort', this.#removeFiles)
  }

  get processes(): readonly SupervisedProcess[] {
    return this.#members.processes
  }

  get failed(): Promise<string> {
    return this.#members.failed
  }

  address(name: string, server = 'http'): string {
    return this.#members.find(name)?.addresses[server] as string
  }

  replaceApp(next: Composition, changed?: Partial<AppConfig>): Promise<void> {
    return this.#members.replace('app', () => this.#startApp(next, changed))
  }

  async start(): Promise<void> {
    const { composition, app = {}, orders, apmAgent, loggerTransport, load, scenario } = this.#options
    const { logDir, logFile } = app
    const apmSocket = this.#apmSocket
    const loggerTransportUrl = await this.#startNeeded('logger-transport', {
      ...loggerTransport,
      logDir,
      logFile,
    })
    const ordersUrl = app.ordersUrl ?? (await this.#startServer('orders', { ...orders }))
    const otlpUrl = await this.#startNeeded('apm-agent', { ...apmAgent, apmSocket, loggerTransportUrl })
    const variables = this.#possible.some(({ compute }) => compute === 'nats')
      ? await startNats(app, this.#scratch, member => this.#members.add(member))
      : {}
    this.#surroundings = { values: { ordersUrl, otlpUrl, apmSocket }, env: variables }
    const url = await this.#startApp(composition)
    if (load === undefined) return
    const values = { url, connections: load, scenario, liveUrl: otlpUrl }
    await this.#members.start(programs.load, values)
  }

  async stop(): Promise<Counts> {
    const counts = await this.#members.stop()
    this.#held?.close()
    this.#options.kill?.removeEventListener('abort', this.#removeFiles)
    await rm(this.#scratch, { recursive: true, force: true })
    return counts
  }

  get #possible(): readonly Composition[] {
    return [this.#options.composition, ...(this.#options.compositions ?? [])]
  }

  #startServer(name: keyof typeof programs, values: Readonly<Record<string, unknown>>): Promise<string> {
    return this.#members.start(programs[name], { port: 0, ...values })
  }

  /** Starts a sidecar if one of the compositions needs it. @returns its URL */
  async #startNeeded(
    name: keyof typeof programs,
    values: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    return this.#possible.some(each => isNeeded(name, each)) ? this.#startServer(name, values) : undefined
  }

  #startApp(chosen: Composition, changed?: Partial<AppConfig>): Promise<string> {
    // What starts NATS has put its address into the environment of the app.
    const { app: { nats: _address, ...app } = {} } = this.#options
    const { appNodeFlags: nodeFlags, appExecPath: execPath, appRoot: root } = this.#options
    const { values, env } = this.#surroundings
    const listenFd = this.#held && INHERITED_FD
    return this.#members.start(
      programs.app,
      { port: 0, adminPort: 0, ...app, ...changed, ...chosen, ...values, listenFd },
      { nodeFlags, execPath, root, inherits: this.#held?.fd(), env },
    )
  }

  readonly #removeFiles = () => {
    rmSync(this.#scratch, { recursive: true, force: true })
    rmSync(this.#apmSocket, { force: true })
  }
}

/**
 * Binds the port of the apps, which inherit the descriptor. As long as it is held, connections wait for an app that accepts them.
 * @throws UserError when the port is taken
 */
function holdPort({ host = '127.0.0.1', port = 0 }: Partial<AppConfig>): BoundSocket {
  try {
    return new BoundSocket({ host, port })
  } catch (error) {
    throw refusedPort(error, host, port, '--port')
  }
}
