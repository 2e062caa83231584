import type { ComponentType, ReactNode } from 'react'
import type { PipeableStream, RenderToPipeableStreamOptions, ServerOptions } from 'react-dom/server'
import type { PageShell } from './page-shell.ts'

/**
 * How a page is made: `stream` sends the shell, and each boundary when it is ready; `static` waits until all is ready;
 * `string` is `renderToString`, which waits for nothing and sends the fallbacks of boundaries that suspend.
 */
export type RenderMode = 'stream' | 'static' | 'string'

/** The exports of the module of a page. A render thread loads it. */
export interface AppModule<Props extends object = never> {
  /** The component of the whole document, or of a part of one. */
  readonly default: ComponentType<Props>
  /** Called once in every thread, before the first page, with the `appOptions` of the renderer. */
  readonly setup?: (options: never) => unknown
  /**
   * Fetches the data of a page in the thread. Without it, the props of the request are those of the component.
   * It sets status, headers and what else is on `page`.
   * @returns the props of the component, or a `Response` without a page, such as a redirect. It may throw a `Response`,
   * too, and an error whose `statusCode` or `status` (400 to 599) is that of the answer.
   */
  readonly load?: (request: LoadRequest, page: LoadedPage) => Props | Response | Promise<Props | Response>
  /**
   * Called around `load` and the rendering of a page. What `next` is called in is the asynchronous context of the page:
   * `(request, next) => store.run(userOf(request), next)`. It may be asynchronous, and throw as `load` does.
   */
  readonly around?: (request: LoadRequest, next: () => void) => unknown
  /**
   * What is the same for all pages with a key. React makes it once in each thread, without a nonce, and then renders only the rest.
   * `load` is called as before. @returns undefined for a page without a shell
   */
  readonly shell?: (request: LoadRequest) => PageShell<Props> | undefined
  /** Options of `renderToPipeableStream` for all pages, such as `bootstrapModules`. */
  readonly options?: StreamOptions
  /** Whether a page of an unsafe method (RFC 9110), such as POST, may be made again after its thread has died. */
  readonly repeatable?: boolean
  /** React, if the module is a bundle that has its own. */
  readonly react?: ReactServer
}

/** The functions of React that render. */
export interface ReactServer {
  createElement(component: ComponentType<never>, props: object): ReactNode
  renderToPipeableStream(node: ReactNode, options?: RenderToPipeableStreamOptions): PipeableStream
  renderToString(node: ReactNode, options?: ServerOptions): string
}

/** The request of a page, as `load` gets it in the thread. */
export interface LoadRequest {
  /** Path and query. */
  readonly url: string
  readonly method: string
  readonly headers: Headers
  /** The body, if it has one: its bytes, or what was given as `body`. */
  readonly body: string | Uint8Array | undefined
  readonly props: Readonly<Record<string, unknown>>
  readonly nonce: Nonce | undefined
  /** Aborted when the client has left, or when the page is late. */
  readonly signal: AbortSignal
  /** Milliseconds by the monotonic clock: the shell must be ready by then. */
  readonly shellDeadline: number
  /**
   * The request as the web has it, for routers. Its URL has the host of the request, and its path as it was sent.
   * @throws TypeError with `statusCode` 400 if there is no such request, for example because its host is none
   */
  toRequest(): Request
}

/** A page as `load` can change it. It can be passed on in the props: a component may set the status until the shell is ready. */
export interface LoadedPage {
  status: number
  /** Names are in lower case. By default there is a content-type. */
  readonly headers: Record<string, string | readonly string[]>
  /** At first that of the request. */
  mode: RenderMode
  /** At first those of the module. */
  readonly options: StreamOptions
  /**
   * Ends the rendering, as `abort` of React's stream does: without a shell there is no page, and the reason is its error;
   * later, what is not ready shows its fallback.
   */
  abort(reason?: unknown): void
  /**
   * Sends these links at once, as 103 Early Hints, if the answer has not begun and the server of the request can:
   * `options.onHeaders = ({ Link }) => page.hint(Link)`.
   */
  hint(link: string | undefined): void
  /** Sends a copy of a value to the main thread with the next chunk. @returns false if the last chunk was sent */
  note(value: unknown): boolean
}

/** The options of React that a module may set. Those that it may not are events that make the page. */
export interface StreamOptions
  extends Omit<RenderToPipeableStreamOptions, 'onShellReady' | 'onShellError' | 'onAllReady'> {
  /**
   * Changes what React writes before it is sent, such as `sheet.interleaveWithNodeStream`. It gets React's stream, and
   * returns the one to send. It is not used with the mode `string`.
   */
  transform?: (stream: PipeableStream) => NodeJS.ReadableStream
}

/** For the Content-Security-Policy: React puts it on all its scripts and styles. */
export type Nonce = NonNullable<RenderToPipeableStreamOptions['nonce']>

/** A module with React, its own or that of the package. One of parts has components only. */
export interface LoadedModule extends Pick<AppModule<object>, 'around' | 'load' | 'options' | 'repeatable'> {
  readonly react: ReactServer
  /** @param name of a part; undefined for the page */
  componentNamed(name: string | undefined): ComponentType<object>
}
