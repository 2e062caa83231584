import type { AppConfig } from '../app/config.ts'
import type { ProcessOptions } from '../lib/processes/start-process.ts'

/** Starts the additional processes that an implementation of compute needs, such as a server of NATS. */
export interface Companion {
  /**
   * Starts them, unless the options of the app name others.
   * @returns environment variables for the app
   * @throws UserError when they cannot be started
   */
  start(options: CompanionOptions): Promise<NodeJS.ProcessEnv>
}

export interface CompanionOptions {
  readonly app: Partial<AppConfig>
  /** A directory of the stack, which no other user can read. */
  readonly directory: string
  /** Starts one of them. @param env variables that it has beside those of the stack */
  startMember(member: Member, env?: NodeJS.ProcessEnv): Promise<unknown>
}

export type Member = Pick<ProcessOptions, 'name' | 'file' | 'flags' | 'fork'>
