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
import { stackOf } from '../../lib/threads/thrown.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { ComposedBody } from './composed-body.ts'
import { type ComposedPart, composeParts } from './composed-page.ts'
import { makeBody } from './page-body.ts'
import { startPageThreads } from './page-threads.ts'
import { PartError, type PartErrorCode } from './part-error.ts'
import type { PageRenderer, PageRendererOptions, Part, Pieces } from './part-types.ts'
import { RenderError, type RenderErrorCode } from './render-error.ts'
import type { CloseOptions, PageRequest, PageThreads } from './renderer-types.ts'

type Components = Record<string, (props: unknown) => unknown>

/**
 * Starts threads that render the components of a module: `createPageRenderer<typeof import(…)>({ parts })`.
 * @throws RangeError for a wrong option; what the module throws when it is loaded
 */
export async function createPageRenderer<Module extends object = Components>(
  options: PageRendererOptions,
): Promise<PageRenderer<Module>> {
  const {
    parts,
    partTimeoutMs = 2000,
    onFallback = (error: Error) => process.emitWarning(error),
    ...pool
  } = checkOptions('createPageRenderer', options, rules)
  const threads = await startPageThreads({
    ...pool,
    app: parts,
    hasParts: true,
    shellTimeoutMs: partTimeoutMs,
    onError() {},
  })
  return new PartsRenderer<Module>(threads, {
    partTimeoutMs,
    onFallback: guarded('onFallback', onFallback),
  })
}

const rules = {
  ...poolRules,
  parts: required(urlRule),
  partTimeoutMs: durationRule({ ...poolBounds.partTimeoutMs, orInfinity: true }),
  onFallback: functionRule,
}

type Settings = Required<Pick<PageRendererOptions, 'partTimeoutMs' | 'onFallback'>>

class PartsRenderer<Module extends object> implements PageRenderer<Module> {
  readonly #threads: PageThreads
  readonly #settings: Settings

  constructor(threads: PageThreads, settings: Settings) {
    this.#threads = threads
    this.#settings = settings
  }

  part(name: string, props: unknown, { fallback }: { readonly fallback?: string } = {}): Part {
    return { name, props, fallback }
  }

  get stuckThreads(): number {
    return this.#threads.stuckThreads
  }

  async page(pieces: Pieces, { signal }: { readonly signal?: AbortSignal } = {}): Promise<ComposedBody> {
    const { partTimeoutMs } = this.#settings
    const client = new SignalClient(monotonicMs() + partTimeoutMs, signal)
    const composed = pieces.map(piece => this.#compose(piece, client))
    try {
      const page = await composeParts(composed, { partTimeoutMs, isGone: () => client.gone })
      page.once('close', () => client.end())
      return page
    } catch (error) {
      client.end()
      throw error
    }
  }

  close(options?: CloseOptions): Promise<void> {
    return this.#threads.close(options)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #compose(piece: Pieces[number], client: SignalClient): Uint8Array | ComposedPart {
    if (typeof piece === 'string') return Buffer.from(piece)
    if (piece instanceof Uint8Array) return piece
    const { name, fallback } = piece
    return {
      fallback: fallback === undefined ? undefined : Buffer.from(fallback),
      make: isWanted => this.#render(piece, client, isWanted),
      late: () => new PartError('PART_LATE', name),
      onFallback: error =>
        this.#settings.onFallback(
          error instanceof PartError ? error : new PartError('PART_FAILED', name, error),
        ),
    }
  }

  async #render({ name, props }: Part, client: SignalClient, isWanted: () => boolean): Promise<Uint8Array> {
    const given = (await props) as PageRequest['props']
    if (!isWanted()) throw new PartError('PART_LATE', name)
    const { deadline } = client
    const part = {
      url: name,
      component: name,
      props: given,
      mode: 'string',
      shellDeadline: deadline,
      pageDeadline: deadline,
    } as const
    try {
      return (await makeBody(this.#threads, part, { client: client, rendered() {} })) as Buffer
    } catch (error) {
      throw error instanceof RenderError ? partErrorOf(error, name) : error
    }
  }
}

function partErrorOf({ code, cause, componentStack }: RenderError, part: string): PartError {
  if (code !== 'RENDER_FAILED') return new PartError(codes[code] ?? 'PART_FAILED', part, cause)
  return new PartError('PART_FAILED', part, `${stackOf(cause)}\nComponents:${componentStack ?? ' none'}`)
}

const codes: Partial<Record<RenderErrorCode, PartErrorCode>> = {
  PROPS_NOT_CLONEABLE: 'PROPS_NOT_CLONEABLE',
  PAGE_LATE: 'PART_LATE',
  THREAD_DIED: 'THREAD_DIED',
  CLIENT_GONE: 'CLIENT_GONE',
  RENDERER_CLOSED: 'RENDERER_CLOSED',
}
