/**
 * What crosses between the main thread and where page parts are rendered.
 *
 *   main thread                                  render thread
 *   WorkQueue ── PartMessage ──────────────────▶ render one part after the other
 *             ◀── PartReply[], HTML transferred ──
 */

import type { MediaType } from '../orders/order.ts'
import type { Envelope, SlotMarks } from '../workers/protocol.ts'
import type { PageQuery } from './page/query.ts'

export const partNames = ['summary', 'orders', 'recommendations'] as const
export type PartName = (typeof partNames)[number]

/** A part as it travels. */
export interface PartCall {
  readonly name: PartName
  /** Which of the parts of that name, from 0. */
  readonly index: number
  readonly input: PageInput
}

/** What the parts of one page that are made of the same data share. In one message it travels once. */
export interface PageInput {
  readonly envelope: Envelope
  readonly query: PageQuery
  /** The upstream's answer, undecoded. */
  readonly data: Uint8Array
  readonly type: MediaType
}

/** Parts to be rendered one after the other. */
export interface PartMessage {
  readonly calls: readonly PartCall[]
  /** Where to mark which of them was started; see `RenderThreadData`. */
  readonly slot: number
}

export type PartReply =
  | {
      readonly kind: 'html'
      readonly html: Uint8Array<ArrayBuffer>
      /** By the monotonic clock. */
      readonly startedAtMs: number
      readonly runMs: number
    }
  | { readonly kind: 'failed'; readonly stack: string; readonly componentStack: string | undefined }
  /** What it is to be made of is not what upstream was asked for. */
  | { readonly kind: 'bad data'; readonly message: string }
  | { readonly kind: 'expired' }

/** What a render thread tells. */
export type RenderThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'replies'; readonly slot: number; readonly replies: readonly PartReply[] }

/** What a render thread is given when it starts. */
export interface RenderThreadData {
  /** The file that exports `render`, `stream` and `explain`. */
  readonly rendererFile: string
  /** Where to mark how many parts of a slot's message were started. */
  readonly started: SlotMarks
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}
