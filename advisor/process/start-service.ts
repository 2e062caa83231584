import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { UserError } from '../../lib/cli/user-error.ts'
import { hasEnded } from '../../lib/processes/has-ended.ts'
import { listDescendants } from '../../loadtest/sample/machine.ts'
import { endGroup, killGroup } from './end-group.ts'
import { pause } from './pause.ts'
import {
  type Address,
  clusterWorkers,
  handlesSigusr1,
  hasProc,
  isNode,
  listeningAt,
  listensOnSocket,
  processesWith,
} from './proc.ts'

const LOOK_INTERVAL_MS = 50
/** A command that has listened at one other address alone for this long will not listen where it is expected. */
const ELSEWHERE_MS = 4000
/** A variable in the environment of all that a command starts, also of a daemon. */
const MARK = 'MAIN_THREAD_STARTED_BY'

/** A service that this program has started. */
export interface Service {
  /** The process that serves, which may be a child of the command. */
  readonly pid: number
  /** The command, and the process group that it leads. */
  readonly root: number
  /** Where it listens; undefined on a Unix socket, and on a system that does not tell. */
  readonly address: Address | undefined
  stop(): Promise<void>
}

/** Where a service is expected to listen: on any port, on this one, or on a Unix socket. */
export interface Expected {
  readonly port?: number | undefined
  readonly socketPath?: string | undefined
}

export interface StartOptions extends Expected {
  readonly readyMs: number
  readonly env?: NodeJS.ProcessEnv
  /** Where it runs, by default here. */
  readonly directory?: string
  /** The stream for what it writes to stderr, if it is shown. A log on stdout would take CPU time here. */
  readonly stderr?: 'pipe' | 'ignore'
  readonly abort: AbortSignal
}

/**
 * Starts a command and waits until it, or a process that it has started, listens.
 * @throws UserError when it ends or does not listen in time
 */
export async function startService(
  command: readonly string[],
  { readyMs, env = process.env, directory, stderr = 'ignore', abort, ...expected }: StartOptions,
): Promise<Service> {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    env: { ...env, [MARK]: String(process.pid) },
    cwd: directory,
    stdio: ['ignore', 'ignore', stderr],
    detached: true,
  })
  if (child.stderr) showStderr(child.stderr)
  let failure: string | undefined
  child.on('error', error => {
    failure = `${file} cannot be started (${(error as NodeJS.ErrnoException).code})`
  })
  const root = child.pid as number
  const killAll = () => killGroup(root, 'SIGKILL')
  process.on('exit', killAll)
  const stop = async () => {
    await endGroup(child)
    process.off('exit', killAll)
  }
  const limitMs = performance.now() + readyMs
  let elsewhere = { at: '', sinceMs: 0 }
  try {
    while (performance.now() < limitMs) {
      if (failure) throw new UserError(failure)
      if (hasEnded(child)) throw new UserError(await describeEnd(command, child, expected, limitMs, abort))
      const listeners = await findListeners(root, expected)
      const at = describe(listeners)
      if (at !== elsewhere.at) elsewhere = { at, sinceMs: performance.now() }
      const isSettled = /^\d+$/.test(at) && performance.now() - elsewhere.sinceMs > ELSEWHERE_MS
      const found = listeners.find(({ isExpected }) => isExpected) ?? (isSettled ? listeners[0] : undefined)
      if (found) return { pid: found.pid, address: found.address, root, stop }
      await pause(LOOK_INTERVAL_MS, abort)
    }
    const where = elsewhere.at === '' ? '' : `; it listens on ${elsewhere.at}`
    throw new UserError(
      `${command.join(' ')} does not listen on ${nameOf(expected)} after ${readyMs / 1000} s${where}`,
    )
  } catch (error) {
    await stop()
    throw error
  }
}

const nameOf = ({ port, socketPath }: Expected) =>
  socketPath ? `the socket ${socketPath}` : port === undefined ? 'any port' : `port ${port}`

interface Listener {
  readonly pid: number
  readonly address: Address | undefined
  readonly isExpected: boolean
}

/** The ports, such as `4000, 9090`. */
const describe = (listeners: readonly Listener[]) =>
  [...new Set(listeners.map(({ address }) => address?.port))].join(', ')

/**
 * Finds who listens: the command itself, or a descendant of it. A Node.js that is starting is not ready. A system without
 * /proc tells only whether the port is open; the command then stands for whoever listens.
 */
async function findListeners(root: number, expected: Expected): Promise<Listener[]> {
  if (hasProc()) return [root, ...listDescendants(root)].flatMap(pid => listenersIn(pid, expected))
  const isThere = expected.port !== undefined && (await isOpen(expected.port))
  return isThere ? [{ pid: root, address: undefined, isExpected: true }] : []
}

function listenersIn(pid: number, { port, socketPath }: Expected): Listener[] {
  if (socketPath)
    return listensOnSocket(pid, socketPath) ? [{ pid, address: undefined, isExpected: true }] : []
  const isReady = !isNode(pid) || handlesSigusr1(pid)
  const addresses = isReady || port !== undefined ? (listeningAt(pid) ?? []) : []
  return addresses.map(address => ({ pid, address, isExpected: port === undefined || address.port === port }))
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * Says how a command ended, and which process it has left behind. The daemon of pm2 starts the service when pm2 itself has ended, so
 * this waits until one of them listens where it is expected, or elsewhere for a while.
 */
async function describeEnd(
  command: readonly string[],
  child: ChildProcess,
  expected: Expected,
  limitMs: number,
  abort: AbortSignal,
): Promise<string> {
  const end = `${command.join(' ')} ended (${child.signalCode ?? `exit code ${child.exitCode}`})`
  const endedAtMs = performance.now()
  let left = findLeft(expected)
  const isEnough = () =>
    left.all.length === 0 ||
    left.serving !== undefined ||
    (left.elsewhere !== undefined && performance.now() - endedAtMs > ELSEWHERE_MS)
  while (child.exitCode === 0 && !isEnough() && performance.now() < limitMs) {
    await pause(LOOK_INTERVAL_MS, abort)
    left = findLeft(expected)
  }
  const { all, serving = left.elsewhere } = left
  const pid = serving === undefined ? all[0] : (clusterWorkers(serving)[0] ?? serving)
  return pid === undefined
    ? `${end}; run it by itself to see why`
    : `${end}, and has left process ${pid}, which runs on: watch that one with --attach ${pid}`
}

/** The processes of Node.js that ended commands have left behind, and those of them that listen, where it is expected or elsewhere. */
function findLeft(expected: Expected) {
  const ours = new Set(listDescendants(process.pid))
  const marked = hasProc() ? processesWith(MARK, String(process.pid)) : []
  const all = marked.filter(pid => isNode(pid) && !ours.has(pid))
  const serving = all.find(pid => listenersIn(pid, expected).some(({ isExpected }) => isExpected))
  const elsewhere = all.find(pid => listenersIn(pid, {}).length > 0)
  return { all, serving, elsewhere }
}

/** The lines that Node.js writes about its debugger, which this program opens. */
const DEBUGGER =
  /^(Debugger (listening on|ending on|attached)|For help, see: https:\/\/nodejs\.org\/|Waiting for the debugger)/

/** Shows what a service writes to stderr, line by line, without the lines about the debugger. */
function showStderr(stderr: NodeJS.ReadableStream): void {
  let rest = ''
  stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (!DEBUGGER.test(line)) process.stderr.write(`${line}\n`)
  })
  stderr.on('end', () => process.stderr.write(rest))
}
