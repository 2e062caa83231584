import type { agentOptions } from '../apm-agent/options.ts'
import type { Composition } from '../app/concerns.ts'
import type { AppConfig } from '../app/config.ts'
import type { Values } from '../lib/cli/options.ts'
import type { transportOptions } from '../logger-transport/options.ts'
import type { ordersOptions } from '../orders/order.ts'

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

/** What a steady load may ask for: the talk's request, the page, or four of the first to one of the second. */
export const steadyScenarios = ['demo', 'page', 'mix'] as const
export type SteadyScenario = (typeof steadyScenarios)[number]
