import type { ChildProcess } from 'node:child_process'

/** Messages of node:cluster: one offers a connection with its handle, and another acknowledges it. */
interface ClusterMessage {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

interface Handle {
  close(): void
}

/**
 * Closes the connections that were sent to an instance and that it had not accepted when it died. node:cluster forgets
 * them and leaves them open, so their clients would wait for ever.
 */
export function closeUntakenConnections(instance: ChildProcess): void {
  const untaken = new Map<number, Handle>()
  const send = instance.send as (message: ClusterMessage, handle?: Handle, ...rest: unknown[]) => boolean
  const sendAndNote: typeof send = (message, handle, ...rest) => {
    if (message.act === 'newconn') untaken.set(message.seq as number, handle as Handle)
    return send.call(instance, message, handle, ...rest)
  }
  Object.assign(instance, { send: sendAndNote })
  instance.on('internalMessage', ({ ack }: ClusterMessage) => untaken.delete(ack as number))
  instance.once('exit', () => {
    for (const handle of untaken.values()) handle.close()
  })
}
