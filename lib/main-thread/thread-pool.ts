import { setTimeout as delay } from 'node:timers/promises'
import { readThreads } from '../os/usage.ts'
import { errorOf } from '../threads/thrown.ts'
import { MAX_DURATION_MS } from '../units.ts'
import type { PooledThread, ThreadEnd, ThreadWork } from './pooled-thread.ts'
import { warnOnce } from './warn.ts'
import { watchThreads } from './watch-threads.ts'

const RESTART_DELAY_MS = 500
/** A thread that has not ended after this time, or delivers no output for it, is in code that nothing interrupts. */
const END_MS = 1000

interface ThreadPoolOptions<Work extends ThreadWork> {
  readonly size: number
  /** A busy thread that makes no progress for this time is replaced. */
  readonly stuckAfterMs: number
  /** Whether the time that a thread waits for a core counts, too. */
  readonly countsWaits?: boolean
  /** Starts a thread. @param onExit is called when it has ended */
  start(onExit: () => void): PooledThread<Work>
}

/**
 * Threads of one kind. One that ends, takes too long or takes too much memory is replaced, and what it has not finished is
 * lost at once: nothing waits for its end, because native code and some loops cannot be interrupted.
 */
export class ThreadPool<Work extends ThreadWork> {
  readonly #options: ThreadPoolOptions<Work>
  readonly #threads: PooledThread<Work>[]
  /** Threads that get nothing more to do, and end when they have finished what they have. */
  readonly #dismissed = new Set<PooledThread<Work>>()
  /** Has to be called whenever a thread is given something to do. */
  wake: () => void = () => {}
  #stuck = 0
  /** Whether all threads have been ready once. Before, whoever waits for that is told why one ended. */
  #hasStarted = false
  #isClosing = false

  constructor(options: ThreadPoolOptions<Work>) {
    this.#options = options
    this.#threads = Array.from({ length: options.size }, () => this.#start())
    watchThreads(this, options)
  }

  /** The threads that take work. */
  get threads(): readonly PooledThread<Work>[] {
    return this.#threads
  }

  /** The threads that have work, or take it. */
  get all(): readonly PooledThread<Work>[] {
    return this.#dismissed.size > 0 ? [...this.#threads, ...this.#dismissed] : this.#threads
  }

  /** The thread with the fewest slots in use, of those that are ready. */
  get idlest(): PooledThread<Work> {
    return this.#threads.reduce((best, each) => (busyness(each) < busyness(best) ? each : best))
  }

  /** Number of threads that were replaced and cannot be ended. */
  get stuck(): number {
    return this.#stuck
  }

  /** @throws when a thread ends before it was ready */
  async ready(): Promise<void> {
    try {
      await Promise.all(this.#threads.map(({ ready }) => ready))
      this.#hasStarted = true
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** CPU time in microseconds, by thread id. */
  readCpuMicros(): Promise<Map<number, number>> {
    return readThreads(this.all.map(({ worker }) => worker))
  }

  /** Ends a thread. Resolves when another one is ready, or could not start. */
  async kill(): Promise<void> {
    await this.#threads[0]?.worker.terminate()
    await Promise.allSettled(this.#threads.map(({ ready }) => ready))
  }

  /** Starts one more thread, if that is possible. */
  add(): PooledThread<Work> | undefined {
    const thread = this.#tryToStart()
    if (thread) this.#threads.push(thread)
    return thread
  }

  /** Gives a thread no further work, and ends it when it has finished what it has. */
  async dismiss(thread: PooledThread<Work>): Promise<void> {
    const index = this.#threads.indexOf(thread)
    if (index >= 0) this.#threads.splice(index, 1)
    this.#dismissed.add(thread)
    await thread.whenIdle()
    if (this.#dismissed.delete(thread)) await this.#end(thread, true)
  }

  /**
   * Puts a new thread in the place of each. Resolves when the old ones have ended, after what they had begun.
   * @throws when a new thread ends before it was ready; the old ones that are left then stay
   */
  async recycle(): Promise<void> {
    const ends: Promise<void>[] = []
    for (const old of [...this.#threads]) {
      const young = this.#start()
      await young.ready
      const index = this.#threads.indexOf(old)
      // The pool was closed meanwhile, or has fewer threads, or the old one has died.
      if (index < 0 || this.#isClosing) ends.push(this.#end(young, true))
      else {
        this.#threads.splice(index, 1, young)
        ends.push(this.dismiss(old))
      }
    }
    await Promise.all(ends)
  }

  /** Replaces a thread that has not ended. */
  retire(thread: PooledThread<Work>, end: ThreadEnd): void {
    if (this.#dismissed.delete(thread)) thread.abandon(end)
    else if (this.#threads.includes(thread)) this.#replace(thread, end)
    else return
    void this.#end(thread, false)
  }

  /** Lets the threads finish what they have, for this time at most, and closes the pool. No more may be sent to them. */
  async closeWithin(graceMs: number): Promise<void> {
    const isOver = new AbortController()
    const { signal } = isOver
    const grace = delay(Math.min(graceMs, MAX_DURATION_MS), undefined, { signal }).catch(() => {})
    await Promise.race([Promise.all(this.all.map(thread => thread.whenIdle())), grace])
    isOver.abort()
    await this.close()
  }

  /**
   * Ends all threads, and waits no longer than a second for those that cannot be ended. The output of a thread without work
   * is delivered before, unless nobody reads it; what the others have not finished is lost.
   */
  async close(): Promise<void> {
    this.#isClosing = true
    const { all } = this
    const ends = all.map(thread => this.#end(thread, thread.work.load === 0 && thread.isReady))
    for (const thread of all) thread.abandon({ why: 'the pool was closed' })
    await Promise.all(ends)
  }

  #start(): PooledThread<Work> {
    const thread: PooledThread<Work> = this.#options.start(() => this.#replaceDead(thread))
    return thread
  }

  #tryToStart(): PooledThread<Work> | undefined {
    try {
      return this.#start()
    } catch (thrown) {
      warnOnce('THREAD_NOT_STARTED', `a thread cannot be started: ${errorOf(thrown).message}`)
      return undefined
    }
  }

  /** Starts a new thread at once, or after a pause if the dead one was never ready. */
  #replaceDead(dead: PooledThread<Work>): void {
    if (this.#dismissed.delete(dead)) return dead.abandon()
    if (!this.#threads.includes(dead) || this.#isClosing) return
    const { why, error } = dead.end
    if (this.#hasStarted && (dead.work.load === 0 || dead.work.progress === null))
      warnOnce('THREAD_DIED', `${why}; another thread takes its place\n${error?.stack ?? ''}`)
    if (dead.isReady) this.#replace(dead)
    else this.#replaceLater(dead)
  }

  /** What the old thread has not finished is given back once the new one exists, so that it can take it. */
  #replace(old: PooledThread<Work>, end?: ThreadEnd): void {
    const index = this.#threads.indexOf(old)
    if (index < 0 || this.#isClosing) return
    const young = this.#tryToStart()
    if (young) this.#threads[index] = young
    else this.#replaceLater(old)
    old.abandon(end)
  }

  #replaceLater(old: PooledThread<Work>): void {
    setTimeout(() => this.#replace(old), RESTART_DELAY_MS).unref()
  }

  /** Resolves when the thread has ended, or nothing can end it for now. @param isGentle whether its output is delivered before */
  async #end(thread: PooledThread<Work>, isGentle: boolean): Promise<void> {
    if (isGentle && (await thread.finish(END_MS))) return
    const { worker } = thread
    await new Promise<void>(resolve => {
      let isStuck = false
      const timer = setTimeout(() => {
        isStuck = true
        this.#stuck++
        worker.unref()
        process.emitWarning(
          `a thread was told to end and still runs, because native code and some loops cannot be interrupted; ` +
            `number of such threads: ${this.#stuck}; process.exit() waits for them`,
          { code: 'THREAD_STILL_RUNS' },
        )
        resolve()
      }, END_MS)
      void worker.terminate().then(() => {
        clearTimeout(timer)
        if (isStuck) this.#stuck--
        resolve()
      })
    })
  }
}

const busyness = ({ isReady, work }: PooledThread): number => (isReady ? work.load : Number.POSITIVE_INFINITY)
