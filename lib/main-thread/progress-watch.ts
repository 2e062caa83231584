import type { CoreTime } from '../os/usage.ts'
import { outside } from '../threads/outside.ts'
import { monotonicMs } from '../units.ts'

/** The workers with something to do, each with a value that changes with its progress; null if it has not begun. */
export type Progress<Key> = readonly (readonly [Key, progress: string | number | null])[]

const LOOKS_PER_LIMIT = 8
const MAX_INTERVAL_MS = 1000
/** A worker that makes no progress for the limit is stuck if it had a core for this part of it; else it waits for one. */
const LEAST_OWN_MS = 500
/** A worker that makes no progress for this many limits is stuck, however much of that time it has waited for a core. */
const LIMITS_WHILE_WAITING = 8

interface ProgressWatchOptions<Key> {
  /** May be Infinity. */
  readonly limitMs: number
  /** Returns the workers that have something to do now, without idle ones. */
  read(): Progress<Key>
  onStuck(key: Key): void
  /**
   * Called at each look for a worker that has made no progress since the last one.
   * @param share the part of the limit for which it has made none; 0 if it mostly waits for a core
   */
  onSlow?(key: Key, share: number): void
  /** Whether time counts, too, while a debugger may stop workers at a breakpoint, which is no hang. */
  readonly countsDebugged?: boolean
  /** Without it, a worker counts as if it had a core all the time. */
  readCoreTime?(key: Key): CoreTime | undefined
}

interface Seen {
  readonly progress: string | number
  /** The time without progress, and the part of it in which the worker did not wait for a core. */
  readonly sinceMs: number
  readonly ownMs: number
  /** Undefined until a look finds no progress. */
  readonly core: CoreTime | undefined
}

/**
 * Finds workers that make no progress for longer than a limit, at most a quarter of the limit late: it only looks at intervals,
 * which adds no cost to a task. When no worker has anything to do, it stops, so that it does not wake an idle main thread.
 */
export class ProgressWatch<Key> {
  readonly #options: ProgressWatchOptions<Key>
  readonly #intervalMs: number
  #timer: NodeJS.Timeout | undefined
  #seen = new Map<Key, Seen>()
  #lookedAtMs = 0

  constructor(options: ProgressWatchOptions<Key>) {
    this.#options = options
    this.#intervalMs = Math.min(MAX_INTERVAL_MS, options.limitMs / LOOKS_PER_LIMIT)
  }

  /** Has to be called whenever a worker is given something to do. It costs next to nothing while the watch looks. */
  wake(): void {
    if (this.#timer) return
    this.#lookedAtMs = monotonicMs()
    this.#timer = outside(() => setInterval(() => this.#look(), this.#intervalMs).unref())
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const { read, onStuck, onSlow, limitMs, countsDebugged } = this.#options
    const nowMs = monotonicMs()
    if (!countsDebugged && isDebugged()) {
      this.#seen.clear()
      return
    }
    // The main thread, or the whole process, may have been blocked. Progress of that time has not been read yet.
    const sinceLookMs = Math.min(nowMs - this.#lookedAtMs, 2 * this.#intervalMs)
    this.#lookedAtMs = nowMs
    const last = this.#seen
    this.#seen = new Map()
    const workers = read()
    if (workers.length === 0) this.close()
    for (const [key, progress] of workers) {
      if (progress === null) continue
      const before = last.get(key)
      const seen =
        before?.progress === progress
          ? this.#withoutProgress(key, before, sinceLookMs)
          : { progress, sinceMs: 0, ownMs: 0, core: undefined }
      this.#seen.set(key, seen)
      if (this.#isStuck(seen)) onStuck(key)
      else if (seen.sinceMs > 0) onSlow?.(key, hasHadCore(seen, limitMs) ? seen.sinceMs / limitMs : 0)
    }
  }

  #isStuck(seen: Seen): boolean {
    const { limitMs } = this.#options
    return seen.sinceMs >= (hasHadCore(seen, limitMs) ? limitMs : limitMs * LIMITS_WHILE_WAITING)
  }

  #withoutProgress(key: Key, { progress, sinceMs, ownMs, core: before }: Seen, sinceLookMs: number): Seen {
    const core = this.#options.readCoreTime?.(key)
    const sinceLookOwnMs = before && core ? ownTimeMs(before, core, sinceLookMs) : sinceLookMs
    return { progress, sinceMs: sinceMs + sinceLookMs, ownMs: ownMs + sinceLookOwnMs, core }
  }
}

const hasHadCore = ({ ownMs }: Seen, limitMs: number): boolean => ownMs >= Math.min(limitMs, LEAST_OWN_MS)

/** Whether a debugger may stop workers at a breakpoint: this process has `--inspect`. */
const isDebugged = (): boolean => process.getBuiltinModule?.('inspector')?.url() !== undefined

/** The part of a time in which a worker did not wait for a core. A wait that goes on is in no sum yet; see `CoreTime`. */
const ownTimeMs = (before: CoreTime, now: CoreTime, timeMs: number): number =>
  now.isRunnable
    ? Math.min(timeMs, now.cpuMs - before.cpuMs)
    : Math.max(0, timeMs - (now.waitedMs - before.waitedMs))
