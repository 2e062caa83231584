import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Nonce, RenderMode } from '../app-module.ts'
import type { RenderError } from './render-error.ts'

export interface RendererOptions {
  /** The module of the page, an `AppModule`, as Node.js can load it: JSX has to be built before. */
  readonly app: URL
  /** Given to the `setup` of the module in every thread, copied as `postMessage` copies. */
  readonly appOptions?: unknown
  /** Number of threads. By default one fewer than the cores, and at least one. */
  readonly threads?: number
  /** Number of pages that threads make at the same time, without up to 15 times as many that wait for data. By default 64. */
  readonly pagesAtOnce?: number
  /** The time limit of a page until its shell is ready, in milliseconds. By default 2000; Infinity for none. */
  readonly shellTimeoutMs?: number
  /** The time limit of the whole page: boundaries that are not ready by then show their fallback. By default 10000. */
  readonly pageTimeoutMs?: number
  /** The limit of the body of a request that `reply` and `respond` read. By default 1 MiB; a larger one is answered 413. */
  readonly bodyLimitBytes?: number
  /** Bytes of a page that its thread sends ahead of the client, besides one boundary. By default 256 KiB. */
  readonly windowBytes?: number
  /** The limit of the heap of a thread, and also of its buffers, in MiB. One that exceeds it is replaced. By default 512. */
  readonly workerMemoryMib?: number
  /** Nice value of the threads on Linux, 0 to 19; by default 10, so that they do not take the main thread's core. */
  readonly workerPriority?: number
  /** Called for every error: of a page without a shell, and of a boundary. By default the process emits a warning. */
  onError?(error: RenderError, request: PageRequest): void
  /**
   * Answers a request of node:http if there is no page: with a page of its own, and `error.statusCode`. By default the answer
   * says only that the page cannot be shown. Frameworks have their error handlers.
   */
  answerError?(error: RenderError, request: IncomingMessage, response: ServerResponse): unknown
  /** Called when all of a page was rendered, or its thread gave it up. */
  onPage?(times: PageTimes, request: PageRequest): void
}

/** A page as it is asked for. */
export interface PageRequest {
  /** Path and query, as in `IncomingMessage.url`. */
  readonly url: string
  /** By default GET. */
  readonly method?: string | undefined
  /** Names and values in turn, as in `IncomingMessage.rawHeaders`. They are copied, so pass those that `load` reads. */
  readonly rawHeaders?: readonly string[] | undefined
  readonly body?: string | Uint8Array | undefined
  /**
   * Copied once, as `postMessage` copies. A property that is a promise is a promise in the thread, too: its value is
   * copied when it is there, so that a component can wait for it with `use`.
   */
  readonly props?: Readonly<Record<string, unknown>> | undefined
  /** For the Content-Security-Policy: React puts it on all its scripts. */
  readonly nonce?: Nonce | undefined
  readonly mode?: RenderMode | undefined
  /** The name of the part to render, if the module has parts. */
  readonly component?: string | undefined
  /** Aborted when nobody wants the page any more. */
  readonly signal?: AbortSignal | undefined
  /** Ends the rendering when it is aborted, with its reason, as `page.abort` does. */
  readonly abort?: AbortSignal | undefined
  /** Milliseconds by the monotonic clock, instead of `shellTimeoutMs` and `pageTimeoutMs` from now. */
  readonly shellDeadline?: number | undefined
  readonly pageDeadline?: number | undefined
}

/** Status and headers of a page. Names of headers are in lower case. */
export interface PageHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}

/**
 * What receives a page, on the main thread. `start` comes once, and the first `chunk` in the same call stack; or `fail`
 * comes instead of both. `fail` comes after them if the signal of the request is aborted. Nothing comes after the last chunk, after `fail`, or after `OpenPage.leave`.
 */
export interface PageSink {
  start(head: PageHead): void
  /** @param chunk belongs to this page alone: the sink may transfer it away, and reports it by `OpenPage.consumed` */
  chunk(chunk: Uint8Array<ArrayBuffer>, isLast: boolean): void
  fail(error: RenderError): void
  /** Gets what the module passed to `page.note` since the last chunk, before the chunk. */
  notes?(notes: readonly unknown[]): void
  /** Gets links for 103 Early Hints, before `start`. */
  hints?(links: readonly string[]): void
  /** Is told of a boundary that failed or was late, and of a page that was cut. */
  missing?(error: RenderError): void
  /** Called when all of the page was rendered, or its thread gave it up. */
  rendered?(times: PageTimes): void
}

/** A page that a thread makes. */
export interface OpenPage {
  /** Says that the client took these bytes, so that the thread may send more. */
  consumed(bytes: number): void
  /** Ends the work for the page, because the client has left. */
  leave(): void
}

/** Times are in milliseconds, instants by the monotonic clock (`process.hrtime`). */
export interface PageTimes {
  readonly askedAtMs: number
  /** The start in the thread. */
  readonly startedAtMs: number
  /** The time until the shell was ready; NaN if it never was. */
  readonly shellMs: number
  /** The time until all was ready. */
  readonly readyMs: number
  /** The time that the thread ran code of this page. */
  readonly runMs: number
  /** The status of the answer; 0 if the client left before. */
  readonly status: number
  /** Number of boundaries that failed or were late. */
  readonly failedBoundaries: number
}

/** A page whose shell is ready. */
export interface StreamedPage extends PageHead {
  readonly body: Readable
}

export interface CloseOptions {
  /**
   * Pages that have not ended after this time are ended with their thread: they are cut if they have a shell, or else refused.
   * In milliseconds; by default 30,000, Infinity for none.
   */
  readonly graceMs?: number
}

/** Threads that render the pages of an app. */
export interface PageThreads {
  /** Makes a page for a sink: the cheapest way for the main thread. */
  open(request: PageRequest, sink: PageSink): OpenPage
  /** Pages that wait for a thread, and the time that the oldest has waited. */
  readonly waiting: { readonly pages: number; readonly oldestMs: number }
  /** Number of threads that were replaced and still run, because nothing can interrupt what they do. */
  readonly stuckThreads: number
  /** CPU time in microseconds, by thread id. */
  readCpuMicros(): Promise<Map<number, number>>
  /** Ends a thread. Resolves when another one is ready. For tests of faults. */
  kill(): Promise<void>
  /**
   * Refuses the pages that wait, and all later ones, with `RENDERER_CLOSED`; lets those that have begun end, and then ends the
   * threads. Their output is delivered before the promise resolves.
   */
  close(options?: CloseOptions): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
