/**
 * The messages between the main thread and the threads that render parts of pages.
 *
 *   main thread                                  render thread
 *   WorkQueue ── PartMessage ──────────────────▶ render one part after the other
 *             ◀── RepliesMessage, HTML transferred ──
 */

import type { Envelope } from '../lib/threads/envelope.ts'
import type { SlotMarks } from '../lib/threads/slot-marks.ts'

/** A part as it is sent to a thread: a component with its props. */
export interface PartCall {
  readonly name: string
  readonly input: { readonly envelope: Envelope; readonly props: object }
}

/** Parts that are rendered one after the other. */
export interface PartMessage {
  readonly kind: 'parts'
  readonly calls: readonly PartCall[]
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

/** Shared memory with two numbers for each slot. */
export interface PartMarks {
  /** How many parts of the message in the slot were started. */
  readonly started: SlotMarks
  /** A bit for each part of the message in the slot: the main thread sets it when nobody wants the part any more. */
  readonly left: SlotMarks
}

/** The data that a thread gets when it starts. */
export interface PartThreadData extends PartMarks {
  /** A module whose exports are components of React. */
  readonly partsFile: string
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}
