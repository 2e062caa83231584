import { availableParallelism } from 'node:os'
import { checkOptions, durationRule } from '../../lib/cli/checked-options.ts'
import type { MessageEnd } from '../../lib/main-thread/job.ts'
import { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
import { guarded } from '../../lib/main-thread/warn.ts'
import { PageJob, type PageSettings } from './page-job.ts'
import { PageQueue } from './page-queue.ts'
import { tellError } from './render-error.ts'
import { type RenderWork, startRenderThread } from './render-thread.ts'
import type {
  CloseOptions,
  OpenPage,
  PageRequest,
  PageSink,
  PageThreads,
  RendererOptions,
} from './renderer-types.ts'

/** A thread that has just started must not be taken for stuck. */
const AT_LEAST_MS = 500

const BEATS_UNTIL_STUCK = 8
const MAX_BEAT_MS = 1000

interface PageThreadsOptions extends RendererOptions {
  /** Whether `app` has components by their names, each of which is rendered as a page of its own. */
  readonly hasParts?: boolean
}

/** Starts threads that render pages, or parts of them. @throws what the module of the app throws when it is loaded */
export async function startPageThreads(options: PageThreadsOptions): Promise<PageThreads> {
  const threads = new RenderThreads(options)
  await threads.ready()
  return threads
}

const DEFAULT_GRACE_MS = 30_000
const closeRules = { graceMs: durationRule({ orInfinity: true }) }

class RenderThreads implements PageThreads {
  readonly #pool: ThreadPool<RenderWork>
  readonly #queue: PageQueue
  readonly #settings: PageSettings
  #lastId = 0
  #closed: Promise<void> | undefined

  constructor(options: PageThreadsOptions) {
    const {
      app,
      hasParts = false,
      appOptions,
      threads: size = Math.max(1, availableParallelism() - 1),
      pagesAtOnce = 64,
      shellTimeoutMs = 2000,
      pageTimeoutMs = 10_000,
      windowBytes = 256 * 1024,
      workerMemoryMib = 512,
      workerPriority: priority = 10,
      onError = tellError,
      onPage,
    } = options
    const limitMs = Math.max(AT_LEAST_MS, shellTimeoutMs)
    this.#settings = {
      shellTimeoutMs,
      pageTimeoutMs,
      windowBytes,
      onError: guarded('onError', onError),
      onPage: onPage && guarded('onPage', onPage),
    }
    this.#queue = new PageQueue({
      threads: size,
      pagesAtOnce,
      countWaiting: () => this.#pool.all.reduce((sum, { work }) => sum + work.waiting, 0),
      dispatch: (page, slot) => this.#dispatch(page, slot),
    })
    const { slots, crowded } = this.#queue
    const beatMs = Math.min(limitMs / BEATS_UNTIL_STUCK, MAX_BEAT_MS)
    const data = { app: app.href, hasParts, appOptions, windowBytes, priority, crowded, beatMs }
    const onChunks = () => this.#queue.makeRoom()
    this.#pool = new ThreadPool({
      size,
      stuckAfterMs: limitMs,
      start: onExit => startRenderThread(data, slots, workerMemoryMib, { onExit, onChunks }),
    })
  }

  /** @throws what the module of the app throws when it is loaded */
  ready(): Promise<void> {
    return this.#pool.ready()
  }

  get waiting(): PageThreads['waiting'] {
    return { pages: this.#queue.length, oldestMs: this.#queue.oldestWaitMs() }
  }

  get stuckThreads(): number {
    return this.#pool.stuck
  }

  open(request: PageRequest, sink: PageSink): OpenPage {
    const page = new PageJob(request, sink, this.#settings)
    this.#queue.add(page)
    page.listen()
    return page
  }

  readCpuMicros(): Promise<Map<number, number>> {
    return this.#pool.readCpuMicros()
  }

  kill(): Promise<void> {
    return this.#pool.kill()
  }

  close({ graceMs = DEFAULT_GRACE_MS }: CloseOptions = {}): Promise<void> {
    checkOptions('close', { graceMs }, closeRules)
    this.#queue.close()
    this.#closed ??= this.#pool.closeWithin(graceMs)
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #dispatch(page: PageJob, slot: number): Promise<MessageEnd<undefined>> {
    const outcome = page.dispatch({ thread: this.#pool.idlest.work, id: ++this.#lastId, slot })
    this.#pool.wake()
    return outcome
  }
}
