import { rmdirSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import type { Addresses, Counts, MemberMessage, StackMessage } from './protocol.ts'

interface Member {
  readonly name: string
  readonly addresses: Addresses
  /** Finishes what is in flight, flushes, releases everything. Answers what it counted. */
  close(): Promise<Counts>
  /** Whether Ctrl-C is left to whoever writes the input, which ends when they have written their last. */
  readonly endsWithInput?: boolean
  /** What else the stack may tell it. */
  onMessage?(message: StackMessage): void
}

/** The directory of a stack's socket, for its processes: whoever ends last removes it when the stack cannot. */
export const STACK_DIRECTORY = 'STACK_DIRECTORY'

/**
 * Makes this process one of a stack: says that it listens, and closes in order when it is told to or when the process
 * that started it is gone. Ctrl-C and SIGHUP reach every process of a terminal at once, SIGTERM every process of a
 * group; within a stack they are left to the stack, which stops its processes in the right order, or restarts the one
 * that alone got SIGTERM.
 * @returns how to stop this process from within
 */
export function joinStack(member: Member): () => Promise<void> {
  const { name, addresses, close, endsWithInput = false, onMessage } = member
  let closing = false
  const stop = async () => {
    if (closing) return
    closing = true
    const counts = await close()
    if (process.connected) await tell({ kind: 'closed', counts })
    else removeStackDirectory()
    process.exit()
  }
  const inStack = process.connected
  process.on('SIGTERM', inStack ? () => void tell({ kind: 'terminated' }) : stop)
  process.on('SIGINT', inStack || endsWithInput ? () => {} : stop)
  process.on('SIGHUP', inStack || endsWithInput ? () => {} : stop)
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

/** While others are still there it is not empty, and stays. */
function removeStackDirectory(): void {
  try {
    rmdirSync(process.env[STACK_DIRECTORY] as string)
  } catch {
    // The last one succeeds.
  }
}

const tell = (message: MemberMessage) =>
  new Promise<void>(resolve => process.send?.(message, undefined, {}, () => resolve()))
