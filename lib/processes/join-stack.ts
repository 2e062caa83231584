import { rmdirSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import { withPrefix } from '../cli/option-variables.ts'
import { hasTerminal } from '../cli/terminal.ts'
import { afterRunning } from '../os/running-time.ts'
import { formatDuration } from '../units.ts'
import type { Addresses, Counts, MemberMessage, StackMessage } from './protocol.ts'

interface Member {
  readonly name: string
  readonly addresses: Addresses
  /** Finishes requests in flight, flushes, and releases everything. It returns the counts of this process. */
  close(): Promise<Counts>
  /** The time that `close` may take, in milliseconds; then the process is killed. Without it there is no limit. */
  readonly stopLimitMs?: number
  /** Whether Ctrl-C is ignored because the process reads its input to the end; the writer then decides when to stop. */
  readonly endsWithInput?: boolean
  /** Called on SIGHUP, which programs that rotate logs send. */
  onHangup?(): void
  /** Handles other messages of the stack. */
  onMessage?(message: StackMessage): void
}

/**
 * The environment variable with the directory of the stack's socket. The last process to end removes it if the stack
 * cannot.
 */
export const STACK_DIRECTORY = withPrefix('STACK_DIRECTORY')

/**
 * Makes this process a member of a stack: it reports that it listens, and closes in order on the stack's message or
 * when the process that started it has gone. Ctrl-C and SIGHUP reach every process of a terminal at once, and SIGTERM
 * every process of a group. In a stack these signals are left to the stack, which stops its processes in the right
 * order, or restarts a process that alone got SIGTERM. A process without a terminal does not stop on SIGHUP.
 * @returns a function that stops this process from within
 */
export function joinStack(member: Member): () => Promise<void> {
  const { name, addresses, endsWithInput = false, onHangup, onMessage } = member
  let closing = false
  const stop = async () => {
    if (closing) return
    closing = true
    const counts = await closeInTime(member)
    if (process.connected) await tell({ kind: 'closed', counts })
    else removeStackDirectory()
    process.exit()
  }
  const inStack = process.connected
  process.on('SIGTERM', inStack ? () => void tell({ kind: 'terminated' }) : stop)
  process.on('SIGINT', inStack || endsWithInput ? () => {} : stop)
  const stopsOnHangup = !inStack && !endsWithInput && hasTerminal()
  process.on('SIGHUP', () => {
    onHangup?.()
    if (stopsOnHangup) void stop()
  })
  process.on('message', (message: StackMessage) => {
    if (message.kind === 'stop') void stop()
    else onMessage?.(message)
  })
  process.on('disconnect', stop)
  const inspector = inspectorUrl()
  const all = { ...addresses, ...(inspector && { inspector }) }
  if (inStack) void tell({ kind: 'listening', addresses: all })
  else
    for (const [what, url] of Object.entries(all))
      process.stderr.write(`${name} listens on ${url} (${what})\n`)
  return stop
}

/** What fails or hangs at the end of a process does not keep it from ending. */
async function closeInTime({ name, close, stopLimitMs }: Member): Promise<Counts> {
  const end = (limitMs: number) =>
    afterRunning(limitMs, () => {
      process.stderr.write(`${name} did not stop within ${formatDuration(limitMs)} and ends at once\n`)
      // `process.exit` would wait for a thread that hangs in a call of the file system.
      process.kill(process.pid, 'SIGKILL')
    })
  const cancelLimit = stopLimitMs === undefined ? () => {} : end(stopLimitMs)
  try {
    return await close()
  } catch (error) {
    process.stderr.write(`${name} did not stop in order: ${(error as Error).stack}\n`)
    process.exitCode = 1
    return {}
  } finally {
    cancelLimit()
  }
}

/** The directory can be removed only when it is empty, so it stays while other processes use it. */
function removeStackDirectory(): void {
  try {
    rmdirSync(process.env[STACK_DIRECTORY] as string)
  } catch {
    // The last process to end will succeed.
  }
}

const tell = (message: MemberMessage) =>
  new Promise<void>(resolve => process.send?.(message, undefined, {}, () => resolve()))
