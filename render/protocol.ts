/**
 * The messages between the main thread and the threads that render page parts.
 *
 *   main thread                                  render thread
 *   WorkQueue ── PartMessage ──────────────────▶ render one part after the other
 *             ◀── PartReply[], HTML transferred ──
 */

import type { Envelope } from '../lib/envelope.ts'
import type { SlotMarks } from '../lib/slot-marks.ts'
import type { PageQuery } from './page/query.ts'

export const partNames = ['summary', 'orders', 'recommendations'] as const
export type PartName = (typeof partNames)[number]

/** A part as it is sent. */
export interface PartCall {
  readonly name: PartName
  /** The number of this part among the parts of the same name, from 0. */
  readonly index: number
  readonly input: PageInput
}

/** The input that the parts of one page with the same data share. One message contains it only once. */
export interface PageInput {
  readonly envelope: Envelope
  readonly query: PageQuery
  /** The answer of the upstream, still encoded. */
  readonly data: Uint8Array
  /** The media type of the data. */
  readonly type: string
}

/** Parts that are rendered one after the other. */
export interface PartMessage {
  readonly calls: readonly PartCall[]
  /** The slot in which the number of started parts is marked; see `RenderThreadData`. */
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
  | { readonly kind: 'failed'; readonly stack: string; readonly componentStack: string | undefined }
  /** The upstream data does not match the query. */
  | { readonly kind: 'bad data'; readonly message: string }
  | { readonly kind: 'expired' }

/** Messages from a render thread. */
export type RenderThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'replies'; readonly slot: number; readonly replies: readonly PartReply[] }

/** The exports of a renderer file: they decode the data of a part and render its components. */
export interface Renderer {
  /**
   * The HTML of a part by renderToString.
   * @throws UpstreamDataError, and the errors of components
   */
  render(call: PartCall): string
  /** The same HTML by renderToPipeableStream. */
  stream(call: PartCall): Promise<Buffer>
  /** The component stack of an error in a part; undefined if the error occurred before any component ran. */
  explain(call: PartCall): Promise<string | undefined>
  /** Thrown when the data of a part does not match the query. */
  readonly UpstreamDataError: new (
    message: string,
  ) => Error
}

/** The data that a render thread gets when it starts. */
export interface RenderThreadData {
  /** A file with the exports of a {@link Renderer}. */
  readonly rendererFile: string
  /** Marks how many parts of the message in each slot were started. */
  readonly started: SlotMarks
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}
