/**
 * The messages between the main thread and the threads that render page parts.
 *
 *   main thread                                  render thread
 *   WorkQueue ── PartMessage ──────────────────▶ render one part after the other
 *             ◀── RepliesMessage, HTML transferred ──
 *
 *   WorkQueue ── PagesMessage ─────────────────▶ fetch the data of each page, render its parts
 *             ◀── PiecesMessage, HTML transferred ── once or several times
 *             ── LeaveMessage ─────────────────▶ cancel the fetches, render no more
 */

import type { Envelope } from '../lib/threads/envelope.ts'
import type { PageQuery } from './page/query.ts'

export const partNames = ['summary', 'orders', 'recommendations'] as const
export type PartName = (typeof partNames)[number]

/** The upstream data from which parts are made. */
export const sourceNames = ['orders', 'recommendations'] as const
export type SourceName = (typeof sourceNames)[number]

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

/** Parts that are rendered one after the other. The main thread passes the calls on as they are. */
export interface PartMessage<Call = PartCall> {
  readonly kind: 'parts'
  readonly calls: readonly Call[]
  /** The slot in which the number of started parts is marked; see `ThreadMarks`. */
  readonly slot: number
}

/** A page as it is sent: the render thread fetches its data. */
export interface PageCall {
  /** Its deadline is that of the request, which limits the fetches. */
  readonly envelope: Envelope
  /** Milliseconds by the monotonic clock; after this time no part is started. */
  readonly partDeadline: number
  readonly query: PageQuery
  /** The headers that the fetch of each source passes on, such as its trace context. */
  readonly headers: Readonly<Record<SourceName, Headers>>
  /** The first place of the page that is still missing: the places before it were sent by a thread that died. */
  readonly from: number
  /** The places of parts that ended their thread. They are not rendered again. */
  readonly lost: readonly number[]
}

/** The pages of one turn of the main thread's event loop. */
export interface PagesMessage {
  readonly kind: 'pages'
  readonly pages: readonly NewPage[]
}

export interface NewPage {
  readonly call: PageCall
  /** The slot in which the place of the running part is marked, counted from 1; see `ThreadMarks`. */
  readonly slot: number
}

export type Headers = Readonly<Record<string, string>>

/** Says that the page in this slot is no longer wanted. */
export interface LeaveMessage {
  readonly kind: 'leave'
  readonly slot: number
  /** Whether its fetches are cancelled, too. Those of a late page go on, because they say how upstream is. */
  readonly isClientGone: boolean
}

/** Messages to a render thread. */
export type ToRenderThread<Call = PartCall> = PartMessage<Call> | PagesMessage | LeaveMessage

/**
 * The next places of a page, in page order and in one piece. The values that every page has travel in lists,
 * because the main thread would spend more on reading objects than on all else that it does with a message.
 */
export interface PagePieces {
  readonly slot: number
  /** Undefined if no further place is ready, or will ever be: a required part failed, or the page is not wanted. */
  readonly html: Uint8Array<ArrayBuffer> | undefined
  /** The first place that is still missing. */
  readonly until: number
  /** The parts that were rendered since the last message, see `packed-page.ts`. */
  readonly rendered: readonly number[]
  /** The fetches that ended since the last message, see `packed-page.ts`. */
  readonly calls: readonly PackedValue[]
  /** The parts that failed since the last message. If a part is not required, `html` has its fallback. */
  readonly failed: readonly FailedPart[]
  /** Whether no part and no fetch is left. */
  readonly isLast: boolean
}

export type PackedValue = number | string

/** Pieces of one page or several. */
export interface PiecesMessage {
  readonly kind: 'pieces'
  readonly pieces: readonly PagePieces[]
}

/** A part that was rendered. Times are in milliseconds, `askedAtMs` and `startedAtMs` by the monotonic clock. */
export interface DonePart {
  readonly name: PartName
  /** The arrival of its data. */
  readonly askedAtMs: number
  readonly startedAtMs: number
  readonly runMs: number
}

export interface FailedPart extends Pick<DonePart, 'name' | 'askedAtMs'> {
  readonly failure: PartFailure | NoData
}

/** The data of a part could not be fetched. The app knows the code. */
export interface NoData {
  readonly kind: 'no data'
  readonly code: string
  readonly cause: string | undefined
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
  /** The upstream data does not match the query. */
  | { readonly kind: 'bad data'; readonly message: string }
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
export type RenderThreadMessage = { readonly kind: 'ready' } | RepliesMessage | PiecesMessage

/** A call that can be rendered in a thread. */
export interface Dated {
  readonly input: { readonly envelope: Envelope }
}
