import { parentPort } from 'node:worker_threads'
import type { RenderThreadMessage } from '../../../render/protocol.ts'

/** Follows each message with parts, and tells how many of them had their HTML transferred and not copied. */
export interface Sent {
  readonly kind: 'sent'
  readonly parts: number
  /** Number of parts whose memory has left the thread. */
  readonly transferred: number
}

/** A render thread that also tells whether the HTML that it sent was transferred or copied. */
const port = parentPort as NonNullable<typeof parentPort>
const post = port.postMessage.bind(port)
Object.assign(port, {
  postMessage(message: RenderThreadMessage, transfer: ArrayBuffer[] = []) {
    post(message, transfer)
    if (message.kind !== 'replies') return
    const parts = message.replies.filter(reply => reply.kind === 'html')
    const transferred = parts.filter(({ html }) => html.buffer.detached).length
    post({ kind: 'sent', parts: parts.length, transferred } satisfies Sent)
  },
})
await import('../../../render/part-thread.ts')
