import { rmdirSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import { withPrefix } from '../cli/command-line.ts'
import { hasTerminal } from '../cli/surroundings.ts'
import { afterRunning } from '../os/running-time.ts'
import { formatDuration } from '../units.ts'
import type { Addresses, Member, MemberMessage, StackMessage } from './protocol.ts'

/**
 * The environment variable with the directory of the stack's socket. The last process to end removes it if the stack
 * cannot.
 */
export const STACK_DIRECTORY = withPrefix('STACK_DIRECTORY')

/** The address at which a debugger finds this process, if it was started for one. */
export function inspectorAddress(): Addresses {
  const inspector = inspectorUrl()
  return inspector ? { inspector } : {}
}

/**
 * Makes a member obey a stack that restarts its processes: it stops when it is told to, and reports a SIGTERM, which may be
 * meant for it alone. A process without a terminal does not stop on SIGHUP.
 */
export function overseeMember(stop: () => Promise<void>): void {
  const inStack = process.connected
  if (inStack)
    process.on('SIGTERM', () => void process.send?.({ kind: 'terminated' } satisfies MemberMessage))
  const stopsOnHangup = !inStack && hasTerminal()
  process.on('SIGHUP', stopsOnHangup ? stop : () => {})
  onStackMessage(message => message.kind === 'stop' && void stop())
  process.on('exit', () => process.connected || removeStackDirectory())
}

export const onStackMessage = (listener: (message: StackMessage) => void) => process.on('message', listener)

/** What hangs at the end of a process does not keep it from ending. */
export function limitStop({ name, stopLimitMs }: Member): void {
  if (stopLimitMs === undefined) return
  afterRunning(stopLimitMs, () => {
    process.stderr.write(`${name} did not stop within ${formatDuration(stopLimitMs)} and ends at once\n`)
    // `process.exit` would wait for a thread that hangs in a call of the file system.
    process.kill(process.pid, 'SIGKILL')
  })
}

/** The directory can be removed only when it is empty, so it stays while other processes use it. */
function removeStackDirectory(): void {
  try {
    rmdirSync(process.env[STACK_DIRECTORY] as string)
  } catch {
    // The last process to end will succeed.
  }
}
