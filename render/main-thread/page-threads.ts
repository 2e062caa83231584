import { availableParallelism } from 'node:os'
import { guarded } from '../../lib/main-thread/guarded.ts'
import { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
import { PageQueue } from './page-queue.ts'
import type {
  OpenPage,
  PageRequest,
  PageSink,
  PageThreads,
  RendererOptions,
  StreamedPage,
} from './renderer-types.ts'
import { streamPage } from './stream-page.ts'
import { stuckAfter } from './stuck-after.ts'
import { tellError } from './tell-error.ts'
import { TreePage, type TreeSettings } from './tree-page.ts'
import { TreeThread } from './tree-thread.ts'

const BEATS_UNTIL_STUCK = 8
const MAX_BEAT_MS = 1000

/**
 * Starts threads that render the pages of an app, each page one tree of React.
 * @throws what the module of the app throws when it is loaded
 */
export async function startPageThreads(options: RendererOptions): Promise<PageThreads> {
  const {
    app,
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
  const stuckAfterMs = stuckAfter(shellTimeoutMs)
  let lastId = 0
  const queue = new PageQueue({
    threads: size,
    pagesAtOnce,
    dispatch(page, slot) {
      const outcome = page.dispatch({ thread: pool.idlest, id: ++lastId, slot, states: queue.states })
      pool.wake()
      return outcome
    },
  })
  const data = {
    app: app.href,
    appOptions,
    windowBytes,
    priority,
    states: queue.states,
    crowded: queue.crowded,
    beatMs: Math.min(stuckAfterMs / BEATS_UNTIL_STUCK, MAX_BEAT_MS),
  }
  const pool = new ThreadPool({
    size,
    stuckAfterMs,
    start: onExit => new TreeThread(data, workerMemoryMib, { onExit, onChunks: () => queue.makeRoom() }),
  })
  await pool.ready()
  return new TreeThreads(pool, queue, {
    shellTimeoutMs,
    pageTimeoutMs,
    windowBytes,
    onError: guarded('onError', onError),
    onPage: onPage && guarded('onPage', onPage),
  })
}

class TreeThreads implements PageThreads {
  readonly #pool: ThreadPool<TreeThread>
  readonly #queue: PageQueue
  readonly #settings: TreeSettings

  constructor(pool: ThreadPool<TreeThread>, queue: PageQueue, settings: TreeSettings) {
    this.#pool = pool
    this.#queue = queue
    this.#settings = settings
  }

  get waiting(): PageThreads['waiting'] {
    return { pages: this.#queue.length, oldestMs: this.#queue.oldestWaitMs() }
  }

  get stuckThreads(): number {
    return this.#pool.stuck
  }

  open(request: PageRequest, sink: PageSink): OpenPage {
    const page = new TreePage(request, sink, this.#settings)
    this.#queue.add(page)
    const { signal } = request
    if (signal?.aborted) queueMicrotask(() => page.abort())
    else signal?.addEventListener('abort', () => page.abort(), { once: true })
    return page
  }

  stream(request: PageRequest): Promise<StreamedPage> {
    return streamPage(this, request)
  }

  readCpuMicros(): Promise<Map<number, number>> {
    return this.#pool.readCpuMicros()
  }

  kill(): Promise<void> {
    return this.#pool.kill()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
