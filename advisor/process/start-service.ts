import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../../lib/cli/user-error.ts'
import { hasEnded } from '../../lib/os/process.ts'
import { pause } from '../../loadtest/generator/load.ts'
import { listDescendants } from '../../loadtest/sample/machine.ts'
import { handlesSigusr1, hasProc, isNode, listeningPorts } from './proc.ts'

const LOOK_INTERVAL_MS = 50

/** A service that this program has started. */
export interface Service {
  /** The process that serves, which may be a child of the command. */
  readonly pid: number
  /** The command, and the process group that it leads. */
  readonly root: number
  stop(): Promise<void>
}

interface StartOptions {
  /** The port on which it is expected to listen; any when absent. */
  readonly port?: number | undefined
  readonly readyMs: number
  readonly env: NodeJS.ProcessEnv
  /** Whether what it writes to stderr is shown. A log on stdout would take CPU time here. */
  readonly stderr: 'inherit' | 'ignore'
  readonly abort: AbortSignal
}

/**
 * Starts a command and waits until it, or a process that it has started, listens.
 * @throws UserError when it ends or does not listen in time
 */
export async function startService(command: readonly string[], options: StartOptions): Promise<Service> {
  const { env, stderr } = options
  const [file = '', ...args] = command
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', stderr], detached: true })
  await once(child, 'spawn').catch(({ code }) => {
    throw new UserError(`${file} cannot be started (${code})`)
  })
  const root = child.pid as number
  const killAll = () => killGroup(root, 'SIGKILL')
  process.on('exit', killAll)
  const stop = async () => {
    await endGroup(child)
    process.off('exit', killAll)
  }
  try {
    return { pid: await waitForListener(command.join(' '), child, options), root, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Waits until a command, or a process that it has started, listens where it is expected. @returns the process that listens
 * @throws UserError when the command ends, as one does that leaves a daemon behind, or does not listen in time
 */
async function waitForListener(
  name: string,
  child: ChildProcess,
  { readyMs, abort, port }: StartOptions,
): Promise<number> {
  const root = child.pid as number
  const limitMs = performance.now() + readyMs
  for (;;) {
    const isLate = performance.now() > limitMs
    if (hasEnded(child))
      throw new UserError(
        `${name} ended (${child.signalCode ?? `exit code ${child.exitCode}`}); run it by itself to see why, or watch a process that it has left behind with --attach`,
      )
    const processes = [root, ...listDescendants(root)]
    const found = await findListener(processes, port)
    if (found !== undefined) return found
    if (isLate) {
      const elsewhere = processes.flatMap(pid => listeningPorts(pid) ?? []).join(', ')
      const where = elsewhere && `; it listens on ${elsewhere}`
      const wanted = port === undefined ? 'any port' : `port ${port}`
      throw new UserError(`${name} does not listen on ${wanted} after ${readyMs / 1000} s${where}`)
    }
    await pause(LOOK_INTERVAL_MS, abort)
  }
}

/**
 * Finds the process that listens on a port, or on any. A system without /proc tells only whether the port is open; the command
 * then stands for whoever listens.
 */
async function findListener(processes: readonly number[], port: number | undefined) {
  if (!hasProc()) return port !== undefined && (await isOpen(port)) ? processes[0] : undefined
  return processes.find(pid => {
    const ports = listeningPorts(pid) ?? []
    // A Node.js that is starting is not ready.
    const isReady = () => !isNode(pid) || handlesSigusr1(pid)
    return port === undefined ? ports.length > 0 && isReady() : ports.includes(port)
  })
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, 'localhost')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const STOP_LIMIT_MS = 5000

/** Ends the process group that a command leads: first by SIGTERM, then by SIGKILL. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const ended = hasEnded(child) ? undefined : once(child, 'exit')
  killGroup(child.pid, 'SIGTERM')
  if (ended) {
    const limit = delay(STOP_LIMIT_MS, undefined, { ref: false })
    await Promise.race([ended, limit])
  }
  killGroup(child.pid, 'SIGKILL')
  await ended
}

export function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // All of the group has ended, or the command could not be started.
  }
}
