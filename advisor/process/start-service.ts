import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../../lib/cli/user-error.ts'
import { hasEnded } from '../../lib/processes/has-ended.ts'
import { listDescendants } from '../../loadtest/sample/machine.ts'
import { pause } from './pause.ts'
import { handlesSigusr1, hasProc, isNode, listeningPorts } from './proc.ts'

const LOOK_INTERVAL_MS = 50
const STOP_LIMIT_MS = 5000

/** A service that this program has started. */
export interface Service {
  /** The process that serves, which may be a child of the command. */
  readonly pid: number
  /** The command, and the process group that it leads. */
  readonly root: number
  stop(): Promise<void>
}

export interface StartOptions {
  /** The port on which to wait for it; undefined for any port. */
  readonly port?: number | undefined
  readonly readyMs: number
  readonly env?: NodeJS.ProcessEnv
  /** Where it runs, by default here. */
  readonly directory?: string
  /** Whether to show what it writes to stderr. A log on stdout would take CPU time here. */
  readonly isShown: boolean
  readonly abort: AbortSignal
}

/**
 * Starts a command and waits until it, or a process that it has started, listens on a port.
 * @throws UserError when it ends or does not listen in time
 */
export async function startService(
  command: readonly string[],
  { port, readyMs, env = process.env, directory, isShown, abort }: StartOptions,
): Promise<Service> {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    env,
    cwd: directory,
    stdio: ['ignore', 'ignore', isShown ? process.stderr : 'ignore'],
    detached: true,
  })
  let failure: string | undefined
  child.on('error', error => {
    failure = `${file} cannot be started (${(error as NodeJS.ErrnoException).code})`
  })
  const hint = '; run it by itself to see why'
  const killAll = () => kill(child.pid as number, 'SIGKILL')
  process.on('exit', killAll)
  const stop = async () => {
    await stopAll(child)
    process.off('exit', killAll)
  }
  const limitMs = performance.now() + readyMs
  try {
    while (performance.now() < limitMs) {
      if (failure) throw new UserError(failure)
      if (hasEnded(child)) throw new UserError(`${command.join(' ')} ended (${describeEnd(child)})${hint}`)
      const pid = await findListener(child.pid as number, port)
      if (pid) return { pid, root: child.pid as number, stop }
      await pause(LOOK_INTERVAL_MS, abort)
    }
    const where = port === undefined ? 'any port' : `port ${port}`
    throw new UserError(`${command.join(' ')} does not listen on ${where} after ${readyMs / 1000} s`)
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Finds the process that listens: the command itself, or a descendant of it. A Node.js that is starting is not ready. A
 * system without /proc tells only whether the port is open; the command then stands for whoever listens.
 */
async function findListener(root: number, wanted: number | undefined) {
  if (!hasProc()) {
    return wanted !== undefined && (await isOpen(wanted)) ? root : undefined
  }
  return [root, ...listDescendants(root)].find(pid => {
    const ports = listeningPorts(pid) ?? []
    if (wanted !== undefined) return ports.includes(wanted)
    return ports.length > 0 && (!isNode(pid) || handlesSigusr1(pid))
  })
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

const describeEnd = ({ exitCode, signalCode }: ChildProcess) => signalCode ?? `exit code ${exitCode}`

/** Ends the process group of a command: first by SIGTERM, then by SIGKILL. */
async function stopAll(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const ended = hasEnded(child) ? undefined : once(child, 'exit')
  kill(child.pid, 'SIGTERM')
  if (ended) {
    const limit = delay(STOP_LIMIT_MS, undefined, { ref: false })
    await Promise.race([ended, limit])
  }
  kill(child.pid, 'SIGKILL')
  await ended
}

function kill(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // All of the group has ended, or the command could not be started.
  }
}
