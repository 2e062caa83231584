import { MessagePort } from 'node:worker_threads'
import type { RenderThreadMessage } from '../../../render/protocol.ts'

/** Follows each message with HTML, and tells how many of its parts were transferred and not copied. */
export interface Sent {
  readonly kind: 'sent'
  readonly parts: number
  /** Number of parts whose memory has left the thread. */
  readonly transferred: number
  /** Number of parts of which nothing more comes. */
  readonly ended: number
}

/** A render thread that also tells whether the HTML that it sent was transferred or copied. */
const { postMessage } = MessagePort.prototype as {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void
}
Object.assign(MessagePort.prototype, {
  postMessage(this: MessagePort, message: RenderThreadMessage, transfer: ArrayBuffer[] = []) {
    postMessage.call(this, message, transfer)
    if (message.kind !== 'chunks') return
    const parts = message.chunks.flatMap(({ html }) => html ?? [])
    const transferred = parts.filter(({ buffer }) => buffer.detached).length
    const ended = message.chunks.filter(({ isLast }) => isLast).length
    postMessage.call(this, { kind: 'sent', parts: parts.length, transferred, ended })
  },
})
await import('../../../render/thread.ts')
