import type { ReactNode } from 'react'
import type { PipeableStream, ResumeToPipeableStreamOptions } from 'react-dom/server'
import type { PostponedState, PrerenderOptions, PrerenderToNodeStreamResult } from 'react-dom/static'

/** A shell as it is asked for. */
export interface PageShell<Props> {
  /** All that the shell depends on, such as a language. A thread keeps the shells of the last 100 keys. */
  readonly key: string
  /** A component that still waits for a promise among them after 100 ms is left out, with the boundary around it. */
  readonly props: Props
}

/** The functions of React that make and complete shells. */
export interface ReactStatic {
  prerenderToNodeStream(node: ReactNode, options?: PrerenderOptions): Promise<PrerenderToNodeStreamResult>
  resumeToPipeableStream(
    node: ReactNode,
    postponed: PostponedState,
    options?: ResumeToPipeableStreamOptions,
  ): PipeableStream
}
