import { readCoreTime } from '../os/usage.ts'
import { bytesToMiB } from '../units.ts'
import type { PooledThread, ThreadEnd, ThreadWork } from './pooled-thread.ts'
import { ProgressWatch } from './progress-watch.ts'

/** A thread that makes no progress for this share of the limit leaves its other work to a new one, and goes on alone. */
const SHARE_UNTIL_HANDOVER = 1 / 2

/** A pool as its watch sees it. */
interface Watched<Work extends ThreadWork> {
  /** The threads that take work. */
  readonly threads: readonly PooledThread<Work>[]
  /** The threads that have work, or take it. */
  readonly all: readonly PooledThread<Work>[]
  wake: () => void
  add(): PooledThread<Work> | undefined
  dismiss(thread: PooledThread<Work>): Promise<void>
  retire(thread: PooledThread<Work>, end: ThreadEnd): void
}

/**
 * Replaces the threads of a pool that make no progress, or take too much memory. What waits behind a slow task leaves before.
 * @param stuckAfterMs a busy thread that makes no progress for this time is replaced
 * @param countsWaits whether the time that a thread waits for a core counts, too
 */
export function watchThreads<Work extends ThreadWork>(
  pool: Watched<Work>,
  {
    size,
    stuckAfterMs,
    countsWaits = false,
  }: { readonly size: number; readonly stuckAfterMs: number; readonly countsWaits?: boolean },
): void {
  /** The threads whose memory is being read. */
  const asked = new WeakSet<PooledThread<Work>>()
  const watch = new ProgressWatch<PooledThread<Work>>({
    limitMs: stuckAfterMs,
    read: () =>
      pool.all.filter(({ work }) => work.load > 0).map(thread => [thread, thread.work.progress] as const),
    onStuck: thread => pool.retire(thread, { timedOut: true, why: 'the thread made no progress' }),
    onSlow: (thread, share) => {
      void checkMemory(thread)
      if (share >= SHARE_UNTIL_HANDOVER) handOver(thread)
    },
    readCoreTime: thread => (countsWaits ? undefined : readCoreTime(thread.osThreadId)),
  })
  pool.wake = () => watch.wake()

  /** Lets a new thread take what a busy one has not begun. There are at most twice as many threads as the pool has. */
  function handOver(thread: PooledThread<Work>): void {
    const dismissed = pool.all.length - pool.threads.length
    if (!pool.threads.includes(thread) || dismissed >= size || !thread.work.canHandOver || !pool.add()) return
    void pool.dismiss(thread)
    thread.work.handOver?.()
  }

  /**
   * V8 limits the heap of a thread only. Memory beside it, such as that of buffers, has the same limit, kept here. Node.js
   * 22 before 22.16 and 23 cannot tell the memory of a thread. One in native code does not answer.
   */
  async function checkMemory(thread: PooledThread<Work>): Promise<void> {
    if (asked.has(thread)) return
    asked.add(thread)
    const memory = await thread.worker.getHeapStatistics?.().catch(() => undefined)
    asked.delete(thread)
    if (!memory || bytesToMiB(memory.external_memory) <= thread.memoryMib) return
    const why = `its buffers took more than ${thread.memoryMib} MiB`
    pool.retire(thread, { outOfMemory: true, why })
  }
}
