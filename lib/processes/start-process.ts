import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { UserError } from '../user-error.ts'
import type { Addresses, Counts, MemberMessage, StackMessage } from './protocol.ts'

const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 20_000
const KEPT_LINES = 20
/** What it writes to stderr is read: the last lines say why it did not start. */
export const MEMBER_STDIO = ['ignore', 'inherit', 'pipe', 'ipc'] as const

export interface ProcessOptions {
  /** Name of the process, as the folder and the compose service have it. */
  readonly name: string
  readonly file: string
  readonly flags: readonly string[]
  /** Flags of Node.js itself. */
  readonly nodeFlags?: readonly string[] | undefined
  /** Whether what it writes to stderr is passed on. */
  readonly echo: boolean
  /** This process's unless given. */
  readonly env?: NodeJS.ProcessEnv
  /** How long it may take to stop. */
  readonly stopLimitMs?: number
  /** Starts it in another way than by its file; stderr is a pipe and IPC is there. */
  readonly fork?: (flags: readonly string[]) => ChildProcess
  /** Raised, it is killed at once. */
  readonly kill?: AbortSignal | undefined
  onMessage?(message: MemberMessage): void
}

export interface RunningProcess {
  readonly name: string
  readonly pid: number
  /** How often it was started again. */
  readonly restarts: number
  readonly addresses: Addresses
  /** Resolves when the process has ended, whoever ended it; of one that is started again, when it has for good. */
  readonly ended: Promise<string>
  /** What it counted, once it has ended; nothing of one that was killed. */
  readonly counts: Promise<Counts>
  /** @returns false when it has ended already */
  signal(signal: NodeJS.Signals): boolean
  /** What has ended by itself cannot be told. */
  tell(message: StackMessage): void
  /**
   * Ends it in order and answers what it counted. One that takes longer than `stopLimitMs` is killed: that is said on
   * stderr and makes the exit code of this process 1.
   */
  stop(): Promise<Counts>
}

/**
 * Starts a process and waits until it says that it listens.
 * @throws UserError with what the process wrote when it ends before that, or takes too long
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { name, flags, echo, stopLimitMs = STOP_LIMIT_MS } = options
  const child = options.fork?.(flags) ?? forkFile(options)
  const stderr = followLines(child)
  const ended = once(child, 'exit').then(([code, signal]) => `${name} ended with ${signal ?? code}`)
  const counts = new Promise<Counts>(resolve => {
    child.on('message', (message: MemberMessage) => message.kind === 'closed' && resolve(message.counts))
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
    restarts: 0,
    addresses,
    ended,
    counts,
    signal: signal => child.kill(signal),
    tell,
    async stop() {
      const limit = setTimeout(() => {
        process.stderr.write(`${name} did not stop within ${stopLimitMs / 1000} s and is killed\n`)
        process.exitCode = 1
        child.kill('SIGKILL')
      }, stopLimitMs)
      tell({ kind: 'stop' })
      await ended
      clearTimeout(limit)
      return counts
    },
  }
}

function forkFile({ file, flags, nodeFlags = [], env = process.env, kill }: ProcessOptions): ChildProcess {
  const execArgv = [...process.execArgv, ...nodeFlags]
  return fork(file, flags, { env, execArgv, stdio: [...MEMBER_STDIO], signal: kill, killSignal: 'SIGKILL' })
}

function waitForAddresses(
  name: string,
  child: ChildProcess,
  lastLines: readonly string[],
): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new UserError(`${name} did not listen within ${START_LIMIT_MS / 1000} s`))
    }, START_LIMIT_MS)
    child.on('message', (message: MemberMessage) => {
      if (message.kind !== 'listening') return
      clearTimeout(limit)
      resolve(message.addresses)
    })
    // It could not be started at all; or, also later, it was killed, which its end tells.
    child.on('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(limit)
      const said =
        lastLines.join('\n').replace(/^error: /, '') || `it ended with ${signal ?? code} and said nothing`
      reject(new UserError(`${name} did not start: ${said}`))
    })
  })
}

/** Keeps the last lines that the process wrote to stderr: what they say of a failed start stands in the error. */
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
