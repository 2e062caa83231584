import { ThreadGone } from '../../lib/inspector/conversation.ts'
import { type OpenedInspector, openInspector } from '../process/open-inspector.ts'
import { pause } from '../process/pause.ts'
import { directoryOf } from '../process/proc.ts'
import { type ThreadWindow, type Usage, WatchedThread } from './thread.ts'

/** A process that is being watched. */
export interface Watched {
  readonly pid: number
  /** Version of Node.js. */
  readonly version: string
  /** Path of the script that it runs. */
  readonly script: string
  /** Its working directory. */
  readonly directory: string
  /** Measures the main thread without a profiler. */
  measure(durationMs: number): Promise<Usage>
  /** Profiles all threads. Threads that end meanwhile are left out. */
  profile(durationMs: number): Promise<ThreadWindow[]>
}

/**
 * Watches a process while `use` runs. Afterwards nothing of it is left in the process: no port, listener or wrapper.
 * @throws UserError when the process refuses; also the errors of `use`
 */
export async function watchProcess<T>(
  pid: number,
  abort: AbortSignal,
  use: (watched: Watched) => Promise<T>,
): Promise<T> {
  const inspector = await openInspector(pid)
  const threads: WatchedThread[] = []
  try {
    for (const each of inspector.threads) threads.push(await WatchedThread.start(each))
    const [main] = threads as [WatchedThread, ...WatchedThread[]]
    return await use({
      pid,
      ...(await main.facts()),
      directory: directoryOf(pid) ?? process.cwd(),
      async measure(durationMs) {
        await main.mark()
        await pause(durationMs, abort)
        return main.usage()
      },
      profile: durationMs => profile(threads, durationMs, abort),
    })
  } finally {
    await leave(inspector, threads)
  }
}

async function profile(threads: readonly WatchedThread[], durationMs: number, abort: AbortSignal) {
  await Promise.all(threads.map(thread => orGone(thread.startProfile())))
  await pause(durationMs, abort)
  const windows = await Promise.all(threads.map(thread => orGone(thread.stopProfile())))
  return windows.flatMap(window => window ?? [])
}

async function leave(inspector: OpenedInspector, threads: readonly WatchedThread[]): Promise<void> {
  for (const thread of threads) await orGone(thread.stop())
  await orGone(inspector.leaveWorkers())
  if (!inspector.wasOpen) await orGone(threads[0]?.closeInspectorSoon())
  inspector.close()
  await inspector.closed
  if (!inspector.wasOpen) await inspector.portClosed()
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
