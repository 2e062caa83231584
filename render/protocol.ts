/**
 * The messages between the main thread and the threads that render pages, each page one tree of React.
 *
 *   main thread                                  render thread
 *   WorkQueue ── CommandsMessage: render ────────▶ load, render with React
 *             ── value, rejection ─────────────▶ props that were promises
 *             ◀── ChunksMessage, HTML transferred ── head and shell, then boundaries as they are ready
 *             ── credit ───────────────────────▶ the client took bytes: flush more
 *             ── abort ────────────────────────▶ render no more, and show fallbacks
 *             ── leave ────────────────────────▶ end the work
 *
 * All commands of one turn of the main thread's event loop travel in one message, and so do the chunks of a turn of the
 * thread's loop, because each message wakes a thread.
 */

import type { SlotMarks } from '../lib/threads/thread-setup.ts'
import type { Thrown } from '../lib/threads/thrown.ts'
import type { Nonce, RenderMode } from './app-module.ts'

/** A page as it is sent. A part of a page is sent as a page of its own. */
export interface PageCall {
  /** The name of a part; absent for the page of the module. */
  readonly component?: string
  readonly url: string
  readonly method: string
  readonly rawHeaders: readonly string[]
  readonly body: string | Uint8Array | undefined
  readonly props: Readonly<Record<string, unknown>>
  /** The names of the props whose values come later. */
  readonly late: readonly string[]
  readonly nonce: Nonce | undefined
  readonly mode: RenderMode
  /** Milliseconds by the monotonic clock. */
  readonly shellDeadline: number
  readonly pageDeadline: number
}

/** `id` names a page until its last chunk; `slot` is where its work is marked until all was rendered. */
export type PageCommand =
  | { readonly kind: 'render'; readonly id: number; readonly slot: number; readonly call: PageCall }
  | { readonly kind: 'value'; readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'rejection'; readonly id: number; readonly name: string; readonly error: Thrown }
  | { readonly kind: 'credit'; readonly id: number; readonly bytes: number }
  | { readonly kind: 'abort'; readonly id: number; readonly reason: Thrown }
  | { readonly kind: 'leave'; readonly id: number }

export interface CommandsMessage {
  readonly kind: 'commands'
  readonly commands: readonly PageCommand[]
}

/** What a thread notes about a page in shared memory, which outlives the thread. */
export const PageState = {
  /** Nothing of the page has run. */
  notBegun: 0,
  /** Code of the page runs now. */
  runs: 1,
  /** The page waits for data. */
  waits: 2,
  /** The data of the page is there, and it waits for its turn. */
  isDue: 3,
} as const

export type PageState = (typeof PageState)[keyof typeof PageState]

/** The codes of failures that the thread reports. */
export type PageFailureCode = 'RENDER_FAILED' | 'BOUNDARY_FAILED' | 'PAGE_LATE' | 'BOUNDARY_LATE'

export interface PageFailure {
  readonly code: PageFailureCode
  readonly error: Thrown
  readonly componentStack: string | undefined
  /** What `onError` of the module returned, which React sends to the browser. */
  readonly digest: string | undefined
}

/** What a page has to send. What says nothing is absent: the main thread pays for each property that it reads. */
export interface PageChunk {
  readonly id: number
  /** With the first HTML. */
  readonly status?: number
  /** With the status, unless there is only the usual content-type. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** With the status, if the body is that of a response, which is cut if its thread dies. */
  readonly isResponse?: true
  readonly html?: Uint8Array<ArrayBuffer>
  /** There is no page. */
  readonly failure?: PageFailure
  readonly boundaryFailures?: readonly PageFailure[]
  readonly notes?: readonly unknown[]
  /** Links for 103 Early Hints, before the head. */
  readonly hints?: readonly string[]
  /** Present when all was rendered: start by the monotonic clock, duration until the shell, duration of all, run time. */
  readonly times?: readonly [startedAtMs: number, shellMs: number, readyMs: number, runMs: number]
  readonly isLast?: true
}

export interface ChunksMessage {
  readonly kind: 'chunks'
  /** None if a page began to wait for data while others wait for its place. */
  readonly chunks: readonly PageChunk[]
}

/** Messages from a thread. */
export type RenderThreadMessage =
  | {
      readonly kind: 'ready'
      readonly osThreadId: number | undefined
      /** Whether the module reads more of a request than its props. */
      readonly readsRequest: boolean
      /** See `AppModule`. */
      readonly repeatable: boolean
    }
  | ChunksMessage

/** The data that a thread gets when it starts. */
export interface RenderThreadData {
  /** The URL of the module of the page. */
  readonly app: string
  /** Whether its exports are parts, and it has no page. */
  readonly hasParts: boolean
  readonly appOptions: unknown
  readonly windowBytes: number
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
  /** Each slot has a `PageState`. */
  readonly states: SlotMarks
  /** Its only number is 1 while pages wait on the main thread for one that begins to wait for data. */
  readonly crowded: SlotMarks
  /** A number that the thread changes at this interval while it has pages. */
  readonly beats: SlotMarks
  readonly beatMs: number
  /** The id of the page whose code ends the thread, by an error that nobody catches. */
  readonly culprit: SlotMarks
}
