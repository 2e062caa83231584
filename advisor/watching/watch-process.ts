import { UserError } from '../../lib/cli/user-error.ts'
import { pause } from '../../loadtest/generator/load.ts'
import { type Conversation, ThreadGone } from '../../loadtest/spectrum/inspector.ts'
import { type OpenedInspector, openInspector } from '../process/open-inspector.ts'
import { directoryOf } from '../process/proc.ts'
import { favourMainThread, favourSampling } from './favour-sampling.ts'
import { difference, type ThreadWindow, type Usage, type WatchedThread, watchThread } from './thread.ts'

/** The code inside of a thread stops by itself after some of these. */
const STAY_INTERVAL_MS = 5000

/** A process that is being watched. */
export interface Watched {
  /** Version of Node.js. */
  readonly version: string
  /** Path of the script that it runs. */
  readonly script: string
  /** Its working directory. */
  readonly directory: string
  readonly main: WatchedThread
  /** Measures the main thread without a profiler. */
  measure(durationMs: number): Promise<Usage>
  /** Profiles all threads, the main thread first. Worker threads that end meanwhile are left out. */
  profile(durationMs: number): Promise<Windows>
}

/** The same window on each thread: on the main thread, then on the worker threads. */
export type Windows = readonly [main: ThreadWindow, ...workers: ThreadWindow[]]

/**
 * Watches a process while `use` runs. Afterwards nothing of it is left in the process: no port, listener or wrapper.
 * @param keepsCode whether the code stays as V8 has optimized it
 * @param keepsScheduling whether its threads keep their scheduling policy, also where this may change it
 * @throws UserError when the process refuses, or ends meanwhile; also the errors of `use` and the reason of `abort`
 */
export async function watchProcess<T>(
  pid: number,
  abort: AbortSignal,
  use: (watched: Watched) => Promise<T>,
  { keepsCode = false, keepsScheduling = false } = {},
): Promise<T> {
  const inspector = await openInspector(pid, abort)
  const ended = new UserError(`process ${pid} ended while it was watched`)
  const gone = new AbortController()
  inspector.closed.then(() => gone.abort(ended))
  const stop = AbortSignal.any([abort, gone.signal])
  const started: WatchedThread[] = []
  const start = async (thread: Conversation, opened: boolean) => {
    const watched = await watchThread(thread, opened)
    started.push(watched)
    return watched
  }
  const staying = setInterval(() => {
    // Errors are those of a thread that has ended, and the calls whose answers are needed tell them.
    for (const thread of started) thread.call('stay').catch(() => {})
  }, STAY_INTERVAL_MS)
  try {
    const [mainThread, ...workerThreads] = inspector.threads
    const main = await start(mainThread, !inspector.wasOpen)
    for (const each of workerThreads) await orGone(start(each, false))
    const threads = [main, ...started.slice(1)] as const
    return await use({
      ...(await main.call('facts')),
      directory: directoryOf(pid) ?? process.cwd(),
      main,
      async measure(durationMs) {
        await onEach(threads, thread => thread.setInlining(true))
        const before = await main.call('read')
        await pause(durationMs, stop)
        return difference(before, await main.call('read'))
      },
      async profile(durationMs) {
        if (!keepsCode) await onEach(threads, thread => thread.setInlining(false))
        const takeBack = keepsScheduling ? undefined : await favourMainThread(pid)
        try {
          const ends = await onEach(threads, thread => thread.startProfile())
          if (!keepsScheduling) favourSampling(pid)
          await pause(durationMs, stop)
          return await onEach(ends, end => end())
        } finally {
          await takeBack?.()
        }
      },
    })
  } catch (error) {
    throw error instanceof ThreadGone ? ended : error
  } finally {
    clearInterval(staying)
    await leave(inspector, started)
  }
}

/** Does something with the main thread, and with each worker thread that has not ended. */
async function onEach<Of, T>(
  [main, ...workers]: readonly [Of, ...Of[]],
  act: (of: Of) => Promise<T>,
): Promise<[T, ...T[]]> {
  const [first, ...others] = await Promise.all([act(main), ...workers.map(worker => orGone(act(worker)))])
  return [first, ...others.filter(other => other !== undefined)]
}

async function leave(inspector: OpenedInspector, threads: readonly WatchedThread[]): Promise<void> {
  for (const thread of threads) await orGone(thread.stop())
  await orGone(inspector.leaveWorkers())
  if (!inspector.wasOpen) await orGone(threads[0]?.call('closeInspectorSoon'))
  await inspector.leave()
}

/** Undefined if the thread ended meanwhile, which a service may do. */
async function orGone<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ThreadGone) return undefined
    throw error
  }
}
