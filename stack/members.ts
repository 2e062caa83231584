import { join } from 'node:path'
import { toArguments } from '../lib/cli/command-line.ts'
import type { OptionTable } from '../lib/cli/options.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { type Counts, sumCounts } from '../lib/processes/protocol.ts'
import type { ProcessOptions } from '../lib/processes/start-process.ts'
import { type SupervisedProcess, superviseProcess } from '../lib/processes/supervise-process.ts'
import { Breaker } from './breaker.ts'
import { compiledCodeOf, nodeFlagsOf } from './permissions.ts'

interface MembersOptions extends Pick<ProcessOptions, 'echo' | 'kill' | 'nodeFlags'> {
  readonly env: NodeJS.ProcessEnv
  readonly stopLimitMs: number
  /** After an abort, no further process is started. */
  readonly abort: AbortSignal | undefined
}

/** Options of one process, beside those of its file. */
interface OwnOptions extends Pick<ProcessOptions, 'nodeFlags' | 'execPath' | 'inherits' | 'env'> {
  /** The root of the project that the file is in; this project by default. */
  readonly root?: string | undefined
}

export interface Program {
  readonly name: string
  /** Its file, from the root of its project. */
  readonly path: string
  readonly options: OptionTable
}

const ROOT = join(import.meta.dirname, '..')

/** The processes of a stack. Each is supervised from its start on: a process that dies is started again. */
export class Members {
  /** The newest comes first, and is stopped first, because a process sends data to those that were started before it. */
  readonly processes: SupervisedProcess[] = []
  readonly #options: MembersOptions
  readonly #breaker = new Breaker(this.processes)
  readonly #stopping = new AbortController()
  readonly #failed = Promise.withResolvers<string>()
  /** The counts of processes that others have replaced. */
  readonly #replaced: Counts[] = []
  #replacing: Promise<void> = Promise.resolve()

  constructor(options: MembersOptions) {
    this.#options = options
  }

  get failed(): Promise<string> {
    return this.#failed.promise
  }

  find(name: string): SupervisedProcess | undefined {
    return this.processes.find(process => process.name === name)
  }

  /**
   * Starts a process of the project. Values that may be secret reach it by its environment.
   * @param values the values of its options
   * @returns the URL of its HTTP server
   * @throws UserError when it does not start, or the reason of `abort`
   */
  async start(
    { name, path, options }: Program,
    values: Readonly<Record<string, unknown>>,
    { root = ROOT, ...own }: OwnOptions = {},
  ): Promise<string> {
    const file = join(root, path)
    const compiled = compiledCodeOf(name, this.#options.env)
    const nodeFlags = [...nodeFlagsOf(name, values, compiled), ...(own.nodeFlags ?? [])]
    try {
      const { flags, env } = toArguments(options, values)
      const compile = compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }
      const member = { ...own, name, file, flags, nodeFlags, env: { ...compile, ...env, ...own.env } }
      const { addresses } = await this.add(member)
      return addresses.http as string
    } catch (error) {
      throw nameFlagOfStack(error, name)
    }
  }

  /**
   * Starts a process.
   * @param member its `env` is added to the environment of the stack
   * @throws UserError when it does not start, or the reason of `abort`
   */
  async add(member: Omit<ProcessOptions, 'echo'>): Promise<SupervisedProcess> {
    const { abort, env, nodeFlags = [], ...common } = this.#options
    abort?.throwIfAborted()
    const started = await superviseProcess({
      ...common,
      ...member,
      nodeFlags: [...nodeFlags, ...(member.nodeFlags ?? [])],
      env: { ...env, ...member.env },
      stopping: this.#stopping.signal,
      onMessage: message => this.#breaker.obey(message),
      isDispensable: member.name !== 'app',
    })
    this.processes.unshift(started)
    void started.ended.then(end => this.processes.includes(started) && this.#failed.resolve(end))
    return started
  }

  /**
   * Replaces a process: starts the new one, and then stops the old one. Replacements happen one after the other.
   * @throws what `start` throws; the old process then goes on
   */
  replace(name: string, start: () => Promise<unknown>): Promise<void> {
    this.#replacing = this.#replacing
      .catch(() => {})
      .then(async () => {
        const old = this.find(name) as SupervisedProcess
        await start()
        this.processes.splice(this.processes.indexOf(old), 1)
        this.#replaced.push(await old.stop())
      })
    return this.#replacing
  }

  /** Ends all faults, stops the processes in order, and returns the counts of all that ever ran. */
  async stop(): Promise<Counts> {
    this.#stopping.abort()
    this.#breaker.mendAll()
    await this.#replacing.catch(() => {})
    // A process that was stopped with SIGSTOP cannot react, and other processes would wait for it.
    for (const process of this.processes) process.signal('SIGCONT')
    const counts = [...this.#replaced]
    for (const process of this.processes) counts.push(await process.stop())
    return sumCounts(counts)
  }
}

/** Replaces `--port` of a process in an error message by the option of the stack, such as `--orders-port`. */
function nameFlagOfStack(error: unknown, member: string): unknown {
  // The option of the app has the same name as that of the stack.
  if (!(error instanceof UserError) || member === 'app') return error
  return new UserError(error.message.replace(/(?<=with )--port$/, `--${member}-port`))
}
