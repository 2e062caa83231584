import { url as inspectorUrl } from 'node:inspector'
import type { Addresses, Counts, MemberMessage, StopMessage } from './protocol.ts'

interface Member {
  readonly name: string
  readonly addresses: Addresses
  /** Finishes what is in flight, flushes, releases everything. Answers what it counted. */
  close(): Promise<Counts>
  /** Whether Ctrl-C is left to whoever writes the input, which ends when they have written their last. */
  readonly endsWithInput?: boolean
}

/**
 * Makes this process one of a stack: says that it listens, and closes in order when it is told to or when the process
 * that started it is gone. Ctrl-C reaches every process of a terminal at once, and SIGTERM every process of a group;
 * within a stack they are left to the stack, which stops its processes in the right order.
 * @returns how to stop this process from within
 */
export function joinStack({ name, addresses, close, endsWithInput = false }: Member): () => Promise<void> {
  let closing = false
  const stop = async () => {
    if (closing) return
    closing = true
    const counts = await close()
    if (process.connected) await tell({ kind: 'closed', counts })
    process.exit()
  }
  const inStack = process.connected
  process.on('SIGTERM', inStack ? () => {} : stop)
  process.on('SIGINT', inStack || endsWithInput ? () => {} : stop)
  process.on('message', ({ kind }: StopMessage) => kind === 'stop' && stop())
  process.on('disconnect', stop)
  const inspector = inspectorUrl()
  const all = { ...addresses, ...(inspector && { inspector }) }
  if (inStack) void tell({ kind: 'listening', addresses: all })
  else
    for (const [what, url] of Object.entries(all))
      process.stderr.write(`${name} listens on ${url} (${what})\n`)
  return stop
}

const tell = (message: MemberMessage) =>
  new Promise<void>(resolve => process.send?.(message, undefined, {}, () => resolve()))
