/**
 * The messages between the main thread and the threads that render parts of pages.
 *
 *   main thread                                  render thread
 *   WorkQueue ── PartMessage ──────────────────▶ render one part after the other
 *             ◀── RepliesMessage, HTML transferred ──
 */

import type { Envelope } from '../lib/threads/envelope.ts'

/** Parts that are rendered one after the other. The main thread passes the calls on as they are. */
export interface PartMessage<Call> {
  readonly kind: 'parts'
  readonly calls: readonly Call[]
  /** The slot in which the number of started parts is marked; see `PartMarks`. */
  readonly slot: number
}

export type PartReply =
  | {
      readonly kind: 'html'
      readonly html: Uint8Array<ArrayBuffer>
      /** The start by the monotonic clock, in milliseconds. */
      readonly startedAtMs: number
      readonly runMs: number
    }
  | PartFailure

export type PartFailure =
  | { readonly kind: 'failed'; readonly stack: string; readonly componentStack: string | undefined }
  /** Its deadline has passed, or nobody wants it any more. */
  | { readonly kind: 'expired' }
  /** The main thread itself says that the props cannot be copied to a thread. */
  | { readonly kind: 'not sent'; readonly message: string }

/** The answer to a `PartMessage`. */
export interface RepliesMessage {
  readonly kind: 'replies'
  readonly slot: number
  readonly replies: readonly PartReply[]
}

/** Messages from a render thread. */
export type RenderThreadMessage =
  | { readonly kind: 'ready'; readonly osThreadId: number | undefined }
  | RepliesMessage

/** A call that can be rendered in a thread. */
export interface Dated {
  readonly input: { readonly envelope: Envelope }
}
