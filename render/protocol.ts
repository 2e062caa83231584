/**
 * What crosses between the main thread and where page parts are rendered.
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
  /** The media type of the data. */
  readonly type: string
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

/** The exports of a renderer file: they decode the data of a part and render its components. */
export interface Renderer {
  /**
   * A part's HTML by renderToString.
   * @throws what a component throws, or an UpstreamDataError
   */
  render(call: PartCall): string
  /** The same bytes by renderToPipeableStream. */
  stream(call: PartCall): Promise<Buffer>
  /** The components around the place where a part throws; undefined when it throws before them. */
  explain(call: PartCall): Promise<string | undefined>
  /** Thrown when the data of a part is not what upstream was asked for. */
  readonly UpstreamDataError: new (
    message: string,
  ) => Error
}

/** What a render thread is given when it starts. */
export interface RenderThreadData {
  /** A file with the exports of a {@link Renderer}. */
  readonly rendererFile: string
  /** Where to mark how many parts of a slot's message were started. */
  readonly started: SlotMarks
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}
