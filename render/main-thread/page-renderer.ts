import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { checkOptions, durationRule, functionRule, required, urlRule } from '../../lib/cli/checked-options.ts'
import { Caller } from '../../lib/main-thread/caller.ts'
import { guarded } from '../../lib/main-thread/guarded.ts'
import { type Failure, JobFailed } from '../../lib/main-thread/job.ts'
import type { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
import type { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { poolBounds } from '../../lib/threads/pool-bounds.ts'
import { poolRules } from '../../lib/threads/pool-rules.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { PartCall, PartReply } from '../protocol.ts'
import { type ComposedPart, composeParts } from './composed-page.ts'
import type { PageStream } from './page-stream.ts'
import type { PageRenderer, PageRendererOptions, Part, Pieces } from './page-types.ts'
import { PartError, type PartErrorCode } from './part-error.ts'
import type { PartThread } from './part-thread.ts'
import { startRenderThreads } from './queued-threads.ts'

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
    threads: size = Math.max(1, availableParallelism() - 1),
    partTimeoutMs = 2000,
    workerMemoryMib: memoryMib = 512,
    workerPriority: priority = 10,
    onFallback = (error: Error) => process.emitWarning(error),
  } = checkOptions('createPageRenderer', options, rules)
  const { pool, queue } = await startRenderThreads({
    partsFile: fileURLToPath(parts),
    size,
    priority,
    memoryMib,
    partTimeoutMs,
  })
  return new ThreadRenderer<Module>(pool, queue, {
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

class ThreadRenderer<Module extends object> implements PageRenderer<Module> {
  readonly #pool: ThreadPool<PartThread>
  readonly #queue: WorkQueue<PartCall, PartReply>
  readonly #settings: Settings

  constructor(pool: ThreadPool<PartThread>, queue: WorkQueue<PartCall, PartReply>, settings: Settings) {
    this.#pool = pool
    this.#queue = queue
    this.#settings = settings
  }

  part(name: string, props: unknown, { fallback }: { readonly fallback?: string } = {}): Part {
    return { name, props, fallback }
  }

  get stuckThreads(): number {
    return this.#pool.stuck
  }

  async page(pieces: Pieces, { signal }: { readonly signal?: AbortSignal } = {}): Promise<PageStream> {
    const { partTimeoutMs } = this.#settings
    const caller = new Caller(monotonicMs() + partTimeoutMs, signal)
    const composed = pieces.map(piece => this.#compose(piece, caller))
    try {
      const page = await composeParts(composed, {
        held: { bytes: 0 },
        partTimeoutMs,
        isGone: () => caller.gone,
      })
      page.once('close', () => caller.end())
      return page
    } catch (error) {
      caller.end()
      throw error
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #compose(piece: Pieces[number], caller: Caller): Uint8Array | ComposedPart {
    if (typeof piece === 'string') return Buffer.from(piece)
    if (piece instanceof Uint8Array) return piece
    const { name, fallback } = piece
    return {
      typicalBytes: 0,
      fallback: fallback === undefined ? undefined : Buffer.from(fallback),
      make: isWanted => this.#render(piece, caller, isWanted),
      late: () => new PartError('PART_LATE', name),
      onFallback: error =>
        this.#settings.onFallback(
          error instanceof PartError ? error : new PartError('PART_FAILED', name, error),
        ),
    }
  }

  async #render({ name, props }: Part, caller: Caller, isWanted: () => boolean): Promise<Uint8Array> {
    const input = { envelope: caller.envelope, props: (await props) as object }
    if (!isWanted()) throw new PartError('PART_LATE', name)
    try {
      const { reply } = await this.#queue.run(caller, { name, input })
      if (caller.gone) throw new JobFailed('client gone')
      return htmlOf(name, reply)
    } catch (error) {
      throw error instanceof JobFailed ? new PartError(codeOf[error.failure], name, error) : error
    }
  }
}

const codeOf: Readonly<Record<Failure, PartErrorCode>> = {
  'client gone': 'CLIENT_GONE',
  'deadline passed': 'PART_LATE',
  'timed out': 'THREAD_DIED',
  died: 'THREAD_DIED',
  closed: 'THREAD_DIED',
}

function htmlOf(name: string, reply: PartReply): Uint8Array {
  if (reply.kind === 'html') return reply.html
  if (reply.kind === 'expired') throw new PartError('PART_LATE', name)
  if (reply.kind === 'not sent') throw new PartError('PROPS_NOT_CLONEABLE', name, reply.message)
  if (reply.kind !== 'failed') throw new TypeError(`unknown reply ${JSON.stringify(reply)}`)
  throw new PartError('PART_FAILED', name, `${reply.stack}\nComponents:${reply.componentStack ?? ' none'}`)
}
