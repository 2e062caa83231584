import { inspectorAddress, limitStop, overseeMember } from './oversight.ts'
import type { ListeningMessage, Member } from './protocol.ts'

/**
 * Makes this process a member of a stack: it reports that it listens, and closes in order when the process that started
 * it has gone or has ended their channel. Ctrl-C reaches every process of a terminal at once, and SIGTERM every process
 * of a group. In a stack these signals are left to the stack, which stops its processes in the right order.
 * @returns a function that stops this process from within
 */
export function joinStack(member: Member): () => Promise<void> {
  const { name, close } = member
  const addresses = {
    ...member.addresses,
    ...inspectorAddress(),
  }
  const inStack = process.connected
  let closing = false
  const stop = async () => {
    if (closing) return
    closing = true
    limitStop(member)
    const counts = await close()
    if (process.connected) await tell({ kind: 'closed', counts })
    process.exit()
  }
  process.on('SIGTERM', inStack ? () => {} : stop)
  process.on('SIGINT', inStack ? () => {} : stop)
  process.on('disconnect', stop)
  overseeMember(stop)
  if (inStack) void tell({ kind: 'listening', addresses })
  else
    for (const [what, url] of Object.entries(addresses))
      process.stderr.write(`${name} listens on ${url} (${what})\n`)
  return stop
}

const tell = (message: ListeningMessage | { readonly kind: 'closed'; readonly counts: unknown }) =>
  new Promise<void>(resolve => process.send?.(message, undefined, {}, () => resolve()))
