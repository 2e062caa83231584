import { availableParallelism } from 'node:os'
import { checkOptions, durationRule } from '../../lib/cli/checked-options.ts'
import { JobFailed, type MessageEnd } from '../../lib/main-thread/job.ts'
import { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
import { guarded } from '../../lib/main-thread/warn.ts'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { createMarks } from '../../lib/threads/thread-setup.ts'
import { PageJob, type PageSettings } from './page-job.ts'
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

/** So many times as many pages as have places may be in threads, the others of them waiting for data. */
const SHARE_OF_WAITING = 16

/**
 * Threads, and the pages that wait for one. A page in a thread takes one of `pagesAtOnce` places, unless it only waits for data.
 * Threads note in shared memory which pages do, so they are counted when a page needs a place, and not before.
 */
class RenderThreads implements PageThreads {
  readonly #pool: ThreadPool<RenderWork>
  readonly #queue: WorkQueue<PageJob, undefined>
  readonly #pagesAtOnce: number
  /** Its only number is 1 while pages wait here: threads then tell when a page begins to wait for data. */
  readonly #crowded = createMarks(1)
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
    this.#pagesAtOnce = pagesAtOnce
    this.#queue = new WorkQueue({
      workers: size,
      slots: pagesAtOnce,
      jobsPerMessage: 1,
      dispatch: ([page], slot) => this.#dispatch(page as PageJob, slot),
    })
    const beatMs = Math.min(limitMs / BEATS_UNTIL_STUCK, MAX_BEAT_MS)
    const crowded = this.#crowded
    const data = { app: app.href, hasParts, appOptions, windowBytes, priority, crowded, beatMs }
    const slots = pagesAtOnce * SHARE_OF_WAITING
    const onChunks = () => this.#makeRoom()
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
    this.#queue.enqueue(page, page, end => end instanceof JobFailed && page.giveUp(end))
    if (this.#queue.length > 0) {
      // The threads look after they have noted a state, and this looks at the states after that: one of them sees the other.
      Atomics.store(this.#crowded, 0, 1)
      this.#makeRoom()
    }
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

  /** Hands out as many pages as others wait for data. */
  #makeRoom(): void {
    if (this.#queue.length === 0) return
    const waiting = this.#pool.all.reduce((sum, { work }) => sum + work.waiting, 0)
    const slots = Math.min(this.#pagesAtOnce * SHARE_OF_WAITING, this.#pagesAtOnce + waiting)
    this.#queue.resize(this.#queue.workers, slots)
  }

  #dispatch(page: PageJob, slot: number): Promise<MessageEnd<undefined>> {
    if (this.#queue.length === 0 && Atomics.exchange(this.#crowded, 0, 0) === 1)
      this.#queue.resize(this.#queue.workers, this.#pagesAtOnce)
    const outcome = page.dispatch({ thread: this.#pool.idlest.work, id: ++this.#lastId, slot })
    this.#pool.wake()
    return outcome
  }
}
