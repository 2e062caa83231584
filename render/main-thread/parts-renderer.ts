import type { Readable } from 'node:stream'
import {
  checkOptions,
  durationRule,
  functionRule,
  poolRules,
  required,
  urlRule,
} from '../../lib/cli/checked-options.ts'
import { poolBounds } from '../../lib/cli/options.ts'
import { SignalClient } from '../../lib/main-thread/job.ts'
import { guarded } from '../../lib/main-thread/warn.ts'
import { monotonicMs } from '../../lib/units.ts'
import { type ComposedPart, composeParts } from './composed-page.ts'
import { makeBody } from './page-body.ts'
import { startPageThreads } from './page-threads.ts'
import { RenderError } from './render-error.ts'
import type { CloseOptions, PageRequest } from './renderer-types.ts'

export interface PageRendererOptions {
  /** The module whose exports are components of React, as Node.js can load it: JSX has to be built before. */
  readonly parts: URL
  /** Number of threads. By default one fewer than the cores, and at least one. */
  readonly threads?: number
  /** The time limit of a part, from the call of `page` to its HTML, in milliseconds. By default 2000; Infinity for none. */
  readonly partTimeoutMs?: number
  /** The limit of the heap of a thread, in MiB. A thread that exceeds it is replaced. By default 512. */
  readonly workerMemoryMib?: number
  /** Nice value of the threads on Linux, 0 to 19; by default 10, so that they do not take the main thread's core. */
  readonly workerPriority?: number
  /** Called when a page shows the fallback of a part. By default the process emits a warning. */
  onFallback?(error: RenderError, part: string): void
}

/** A part of a page: a component, and its props or a promise of them. */
export interface Part {
  readonly name: string
  readonly props: unknown
  readonly fallback: string | undefined
}

/** The pieces of a page in page order: static HTML, and parts. */
export type Pieces = readonly (string | Uint8Array | Part)[]

/** The names of the components of a module. */
type PartName<Module> = {
  [Name in keyof Module]: Module[Name] extends (props: never) => unknown ? Name : never
}[keyof Module] &
  string

/** The props of a component. */
type PropsOf<Module, Name extends keyof Module> = Module[Name] extends (props: infer Props) => unknown
  ? Props
  : never

/** Threads that render the components of a module. */
export interface PageRenderer<Module extends object> {
  /**
   * Describes a part of a page, which is rendered once its props are there. They are copied, as `postMessage` copies.
   * @param options.fallback HTML that is shown if the part fails or is late. Without it, there is no page then.
   */
  part<Name extends PartName<Module>>(
    name: Name,
    props: PropsOf<Module, Name> | Promise<PropsOf<Module, Name>>,
    options?: { readonly fallback?: string },
  ): Part
  /**
   * Makes a page. Its bytes come in page order, each part as soon as it and all pieces before it are ready.
   * @param options.signal is aborted when nobody wants the page any more. Its waiting parts are then not rendered.
   * @returns the bytes, once no required part can fail any more and so the status of the answer is known
   * @throws RenderError of a required part, or the error of the promise of its props
   */
  page(pieces: Pieces, options?: { readonly signal?: AbortSignal }): Promise<Readable>
  /** Number of threads that were replaced and still run, because nothing can interrupt what they do. */
  readonly stuckThreads: number
  /** See `PageThreads`. */
  close(options?: CloseOptions): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts threads that render the components of a module: `createPageRenderer<typeof import(…)>({ parts })`.
 * @throws RangeError for a wrong option; what the module throws when it is loaded
 */
export async function createPageRenderer<Module extends object = Record<string, (props: unknown) => unknown>>(
  options: PageRendererOptions,
): Promise<PageRenderer<Module>> {
  const {
    parts,
    partTimeoutMs = 2000,
    onFallback: told = warn,
    ...pool
  } = checkOptions('createPageRenderer', options, rules)
  const onFallback = guarded('onFallback', told)
  const threads = await startPageThreads({
    ...pool,
    app: parts,
    hasParts: true,
    shellTimeoutMs: partTimeoutMs,
    onError() {},
  })

  function compose(piece: Pieces[number], client: SignalClient): Uint8Array | ComposedPart {
    if (typeof piece === 'string') return Buffer.from(piece)
    if (piece instanceof Uint8Array) return piece
    const { name, fallback } = piece
    return {
      fallback: fallback === undefined ? undefined : Buffer.from(fallback),
      make: isWanted => render(piece, client, isWanted),
      late: () => new RenderError('PAGE_LATE'),
      onFallback: cause =>
        onFallback(cause instanceof RenderError ? cause : new RenderError('RENDER_FAILED', { cause }), name),
    }
  }

  async function render({ name, props }: Part, client: SignalClient, isWanted: () => boolean) {
    const given = (await props) as PageRequest['props']
    if (!isWanted()) throw new RenderError('PAGE_LATE')
    const { deadline } = client
    const deadlines = { shellDeadline: deadline, pageDeadline: deadline }
    const part = { url: name, component: name, props: given, mode: 'string', ...deadlines } as const
    return (await makeBody(threads, part, { client })) as Buffer
  }

  return {
    part: (name, props, { fallback } = {}) => ({ name, props, fallback }),
    async page(pieces, { signal } = {}) {
      const client = new SignalClient(monotonicMs() + partTimeoutMs, signal)
      const composed = pieces.map(piece => compose(piece, client))
      try {
        const page = await composeParts(composed, { partTimeoutMs, isGone: () => client.gone })
        page.once('close', () => client.end())
        return page
      } catch (error) {
        client.end()
        throw error
      }
    },
    get stuckThreads() {
      return threads.stuckThreads
    },
    close: given => threads.close(given),
    [Symbol.asyncDispose]: () => threads.close(),
  }
}

const warn = ({ stack, code }: RenderError, part: string) =>
  process.emitWarning(`part ${part}: ${stack}`, { code })

const rules = {
  ...poolRules,
  parts: required(urlRule),
  partTimeoutMs: durationRule({ ...poolBounds.partTimeoutMs, orInfinity: true }),
  onFallback: functionRule,
}
