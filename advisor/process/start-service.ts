import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { UserError } from '../../lib/cli/user-error.ts'
import { hasEnded } from '../../lib/os/process.ts'
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
/** A command that has listened at one other port alone for this long will not listen where it is expected. */
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
interface Expected {
  readonly port?: number | undefined
  readonly socketPath?: string | undefined
}

export interface StartOptions extends Expected {
  readonly readyMs: number
  readonly env?: NodeJS.ProcessEnv
  /** The stream for what it writes to stderr, if it is shown. A log on stdout would take CPU time here. */
  readonly stderr?: 'pipe' | 'ignore'
  readonly abort: AbortSignal
}

/**
 * Starts a command and waits until it, or a process that it has started, listens.
 * @throws UserError when it ends or does not listen in time
 */
export async function startService(command: readonly string[], options: StartOptions): Promise<Service> {
  const { env = process.env, stderr = 'ignore' } = options
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    env: { ...env, [MARK]: String(process.pid) },
    stdio: ['ignore', 'ignore', stderr],
    detached: true,
  })
  await once(child, 'spawn').catch(({ code }) => {
    throw new UserError(`${file} cannot be started (${code})`)
  })
  if (child.stderr) showStderr(child.stderr)
  const root = child.pid as number
  const killAll = () => killGroup(root, 'SIGKILL')
  process.on('exit', killAll)
  const stop = async () => {
    await endGroup(child)
    process.off('exit', killAll)
  }
  try {
    const { pid, address } = await waitForListener(command.join(' '), child, options)
    return { pid, address, root, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Waits until a command, or a process that it has started, listens where it is expected, or at one other port for a while. If the
 * command has ended, it waits for those that it has left behind: the daemon of pm2 starts the service when pm2 itself has ended.
 */
async function waitForListener(
  name: string,
  child: ChildProcess,
  { readyMs, abort, ...expected }: StartOptions,
): Promise<Pick<Service, 'pid' | 'address'>> {
  const root = child.pid as number
  const limitMs = performance.now() + readyMs
  let elsewhere = { at: '', sinceMs: 0 }
  for (;;) {
    const isLate = performance.now() > limitMs
    const isOver = hasEnded(child)
    const processes = isOver ? findLeft() : [root, ...listDescendants(root)]
    const listeners = await findListeners(processes, expected)
    const at = [...new Set(listeners.map(({ address }) => address?.port))].join(', ')
    if (at !== elsewhere.at) elsewhere = { at, sinceMs: performance.now() }
    const isSettled =
      (isOver ? at !== '' : /^\d+$/.test(at)) && performance.now() - elsewhere.sinceMs > ELSEWHERE_MS
    const isExpected = (address: Address | undefined) =>
      !address || expected.port === undefined || address.port === expected.port
    const found =
      listeners.find(({ address }) => isExpected(address)) ?? (isSettled ? listeners[0] : undefined)
    if (isOver) {
      const canServe = child.exitCode === 0 && processes.length > 0
      if (found || isLate || !canServe)
        throw new UserError(describeEnd(name, child, found?.pid ?? processes[0]))
    } else if (found) return found
    else if (isLate) {
      const where = at === '' ? '' : `; it listens on ${at}`
      throw new UserError(`${name} does not listen on ${nameOf(expected)} after ${readyMs / 1000} s${where}`)
    }
    await pause(LOOK_INTERVAL_MS, abort)
  }
}

const nameOf = ({ port, socketPath }: Expected) =>
  socketPath ? `the socket ${socketPath}` : port === undefined ? 'any port' : `port ${port}`

/** Says how a command ended, and which process it has left behind. */
function describeEnd(name: string, { signalCode, exitCode }: ChildProcess, left: number | undefined): string {
  const end = `${name} ended (${signalCode ?? `exit code ${exitCode}`})`
  if (left === undefined) return `${end}; run it by itself to see why`
  const pid = clusterWorkers(left)[0] ?? left
  return `${end}, and has left process ${pid}, which runs on: watch that one with --attach ${pid}`
}

/** The processes of Node.js that ended commands have left behind. */
function findLeft(): number[] {
  if (!hasProc()) return []
  const ours = new Set(listDescendants(process.pid))
  return processesWith(MARK, String(process.pid)).filter(pid => isNode(pid) && !ours.has(pid))
}

/**
 * Finds who listens, and where. A system without /proc tells only whether the port is open; the command then stands for whoever
 * listens.
 */
async function findListeners(processes: readonly number[], expected: Expected) {
  const { port } = expected
  const addressesOf = (pid: number) => (hasProc() ? listensAt(pid, expected) : [undefined])
  if (!hasProc() && (port === undefined || !(await isOpen(port)))) return []
  return processes.flatMap(pid => addressesOf(pid).map(address => ({ pid, address })))
}

/** A Unix socket has no address. */
function listensAt(pid: number, { port, socketPath }: Expected): readonly (Address | undefined)[] {
  if (socketPath) return listensOnSocket(pid, socketPath) ? [undefined] : []
  // A Node.js that is starting is not ready.
  const isReady = port !== undefined || !isNode(pid) || handlesSigusr1(pid)
  return isReady ? (listeningAt(pid) ?? []) : []
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

/** The lines that Node.js writes about its debugger, which this program opens. */
const DEBUGGER =
  /^(Debugger (listening on|ending on|attached)|For help, see: https:\/\/nodejs\.org\/|Waiting for the debugger)/

/** Shows what a service writes to stderr, line by line, without the lines about the debugger. */
function showStderr(input: NodeJS.ReadableStream): void {
  createInterface({ input }).on('line', line => {
    if (!DEBUGGER.test(line)) process.stderr.write(`${line}\n`)
  })
}
