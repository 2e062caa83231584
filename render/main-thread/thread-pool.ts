import { ProgressWatch } from '../../lib/main-thread/progress-watch.ts'
import { readThreads } from '../../lib/os/thread-usage.ts'
import type { PoolThread } from './pool-thread.ts'

const RESTART_DELAY_MS = 500

interface ThreadPoolOptions<Thread> {
  readonly size: number
  /** A busy thread that makes no progress for this time is replaced. */
  readonly stuckAfterMs: number
  /** Starts a thread. @param onExit is called when it has ended */
  start(onExit: () => void): Thread
}

/** Threads that are replaced when they die or make no progress. */
export class ThreadPool<Thread extends PoolThread<never>> {
  readonly threads: Thread[]
  readonly #options: ThreadPoolOptions<Thread>
  readonly #watch: ProgressWatch<Thread>
  #closing = false

  constructor(options: ThreadPoolOptions<Thread>) {
    this.#options = options
    this.threads = Array.from({ length: options.size }, (_, index) => this.#start(index))
    this.#watch = new ProgressWatch(
      options.stuckAfterMs,
      () => this.threads.filter(({ load }) => load > 0).map(thread => [thread, thread.progress] as const),
      thread => {
        thread.isStuck = true
        void thread.worker.terminate()
        // V8 cannot always end a thread whose heap is full, so nobody waits for that.
        this.#replace(thread, this.threads.indexOf(thread))
      },
    )
  }

  /** The thread with the least to do. */
  get idlest(): Thread {
    const busyness = ({ isReady, load }: Thread) => (isReady ? load : Number.POSITIVE_INFINITY)
    return this.threads.reduce((idlest, thread) => (busyness(thread) < busyness(idlest) ? thread : idlest))
  }

  /** @throws when a thread ends before it was ready */
  async ready(): Promise<void> {
    await Promise.all(this.threads.map(({ ready }) => ready))
  }

  /** Has to be called whenever a thread is given something to do. */
  wake(): void {
    this.#watch.wake()
  }

  /** CPU time in microseconds, by thread id. */
  readCpuMicros(): Promise<Map<number, number>> {
    return readThreads(this.threads.map(({ worker }) => worker))
  }

  /** Ends a thread. Resolves when another one is ready, or could not start. */
  async kill(): Promise<void> {
    await this.threads[0]?.worker.terminate()
    await this.ready().catch(() => {})
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#watch.close()
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()))
  }

  #start(index: number): Thread {
    const thread: Thread = this.#options.start(() => this.#replace(thread, index))
    return thread
  }

  /**
   * Starts a new thread at once, or after a pause if the dead one was never ready. The jobs of the dead thread are
   * given back once the new thread exists, so that it can take them.
   */
  #replace(dead: Thread, index: number): void {
    if (this.#closing || this.threads[index] !== dead) return
    const start = () => {
      if (this.#closing || this.threads[index] !== dead) return
      this.threads[index] = this.#start(index)
      dead.giveBack()
    }
    if (dead.isReady) start()
    else setTimeout(start, RESTART_DELAY_MS).unref()
  }
}
