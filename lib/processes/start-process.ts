import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { UserError } from '../cli/user-error.ts'
import { afterRunning } from '../os/running-time.ts'
import type { Addresses, Counts, MemberMessage, StackMessage } from './protocol.ts'

/** Both count only time in which this process ran: a pause of the whole machine kills nobody. A start may wait long for a core. */
const START_LIMIT_MS = 120_000
const STOP_LIMIT_MS = 20_000
const KEPT_LINES = 20
/** The output on stderr is read, because its last lines explain a failed start. */
export const MEMBER_STDIO = ['ignore', 'inherit', 'pipe', 'ipc'] as const
/** The file descriptor that comes after those of `MEMBER_STDIO`. */
export const INHERITED_FD = MEMBER_STDIO.length

export interface ProcessOptions {
  /** The name of the process, which is also the name of its folder and its compose service. */
  readonly name: string
  readonly file: string
  readonly flags: readonly string[]
  readonly nodeFlags?: readonly string[] | undefined
  /** A file descriptor of this process that the process gets as {@link INHERITED_FD}. */
  readonly inherits?: number | undefined
  /** The binary of Node.js that runs the file; by default that of this process. */
  readonly execPath?: string | undefined
  /** Whether the output of the process is passed on; otherwise it gets no terminal. */
  readonly echo: boolean
  /** The environment; by default that of this process. */
  readonly env?: NodeJS.ProcessEnv
  /** The time limit for stopping, in milliseconds. */
  readonly stopLimitMs?: number
  /** Starts the process in another way than by its file. Its stderr must be a pipe, and it must have an IPC channel. */
  readonly fork?: (flags: readonly string[]) => ChildProcess
  /** An abort kills the process at once. */
  readonly kill?: AbortSignal | undefined
  onMessage?(message: MemberMessage): void
}

export interface RunningProcess {
  readonly name: string
  readonly pid: number
  readonly addresses: Addresses
  /** Resolves when the process has ended for any reason; for a supervised process, when it has ended for good. */
  readonly ended: Promise<string>
  /** The counts of the process once it has ended; empty if it was killed. */
  readonly counts: Promise<Counts>
  /** @returns false when the process has already ended */
  signal(signal: NodeJS.Signals): boolean
  /** Sends a message. It is lost if the process has ended by itself. */
  tell(message: StackMessage): void
  /**
   * Stops the process in order and returns its counts. If it takes longer than `stopLimitMs`, it is killed; a line on
   * stderr reports that, and the exit code of this process becomes 1.
   */
  stop(): Promise<Counts>
}

/**
 * Starts a process and waits until it reports that it listens.
 * @throws UserError with the output of the process when it ends before that, or takes too long
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { name, flags, echo, stopLimitMs = STOP_LIMIT_MS } = options
  const child = options.fork?.(flags) ?? forkFile(options)
  const stderr = followLines(child)
  const ended = once(child, 'exit').then(([code, signal]) => `${name} ended with ${signal ?? code}`)
  const counts = new Promise<Counts>(resolve => {
    child.on(
      'message',
      (message: MemberMessage) => message.kind === 'closed' && resolve(message.counts ?? {}),
    )
    child.once('close', () => resolve({}))
  })
  child.on('message', (message: MemberMessage) => options.onMessage?.(message))
  const tell = (message: StackMessage) => {
    if (child.connected) child.send(message, () => {})
  }
  const addresses = await waitForAddresses(name, child, stderr.lastLines)
  if (echo) stderr.passOn()
  return {
    name,
    pid: child.pid as number,
    addresses,
    ended,
    counts,
    signal: signal => child.kill(signal),
    tell,
    async stop() {
      const cancelLimit = afterRunning(stopLimitMs, () => {
        process.stderr.write(`${name} did not stop within ${stopLimitMs / 1000} s and is killed\n`)
        process.exitCode = 1
        child.kill('SIGKILL')
      })
      tell({ kind: 'stop' })
      await ended
      cancelLimit()
      return counts
    },
  }
}

function forkFile(options: ProcessOptions): ChildProcess {
  const {
    file,
    flags,
    nodeFlags = [],
    execPath = process.execPath,
    env = process.env,
    inherits,
    kill,
  } = options
  const execArgv = [...process.execArgv, ...nodeFlags]
  const [input, output, ...others] = MEMBER_STDIO
  // A process that ends restores the terminal that it has, as it was when the process started, and so ends the raw mode
  // in which its parent reads keys.
  const stdio: StdioOptions = [input, options.echo ? output : 'ignore', ...others]
  if (inherits !== undefined) stdio.push(inherits)
  return fork(file, flags, { env, execPath, execArgv, stdio, signal: kill, killSignal: 'SIGKILL' })
}

function waitForAddresses(
  name: string,
  child: ChildProcess,
  lastLines: readonly string[],
): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    const cancelLimit = afterRunning(START_LIMIT_MS, () => {
      child.kill('SIGKILL')
      reject(new UserError(`${name} did not listen within ${START_LIMIT_MS / 1000} s`))
    })
    child.on('message', (message: MemberMessage) => {
      if (message.kind !== 'listening') return
      cancelLimit()
      resolve(message.addresses)
    })
    // The process could not be started, or a later kill failed; in that case its end says more.
    child.on('error', reject)
    child.once('close', (code, signal) => {
      cancelLimit()
      const said =
        lastLines.join('\n').replace(/^error: /, '') || `it ended with ${signal ?? code} and said nothing`
      reject(new UserError(`${name} did not start: ${said}`))
    })
  })
}

/** Keeps the last lines that the process wrote to stderr, for the error of a failed start. */
function followLines(child: ChildProcess) {
  const lastLines: string[] = []
  const reader = createInterface({ input: child.stderr as NodeJS.ReadableStream })
  const write = (line: string) => process.stderr.write(`${line}\n`)
  reader.on('line', line => {
    lastLines.push(line)
    if (lastLines.length > KEPT_LINES) lastLines.shift()
  })
  return {
    lastLines: lastLines as readonly string[],
    passOn() {
      lastLines.forEach(write)
      reader.on('line', write)
    },
  }
}
