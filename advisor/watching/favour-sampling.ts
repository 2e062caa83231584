import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { listThreads } from '../../loadtest/sample/threads.ts'
import { isScheduledFreely } from '../process/proc.ts'

/** V8's name for the threads that take samples. */
const SAMPLING_THREAD = 'v8:ProfEvntProc'
/**
 * It reads its input until this process closes it or ends, however it ends. Threads and processes that the main thread starts
 * meanwhile are not favoured (`-R`): nobody would take that back.
 */
const FAVOUR = 'chrt -R -f -p 1 "$1" && { echo; read -r _; chrt -o -p 0 "$1"; }'

/**
 * Lets a main thread run as soon as it wakes (SCHED_FIFO, see sched(7)), where more cores than one are there. Otherwise, where cores
 * are shared, a main thread that writes to a pipe or socket lets the reader run first, and the write seems to take long: a profile
 * counts by the clock. The system allows this to root only, and the command is part of util-linux. A thread to which somebody has given
 * another policy, or one core only, is left alone.
 * @returns a function that takes it back
 */
export async function favourMainThread(pid: number): Promise<() => Promise<void>> {
  if (availableParallelism() < 2 || !isScheduledFreely(pid)) return async () => {}
  const favouring = spawn('sh', ['-c', FAVOUR, 'sh', String(pid)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  const ended = once(favouring, 'exit')
  await Promise.race([once(favouring.stdout, 'data'), ended])
  return async () => {
    favouring.stdin.on('error', () => {}).end()
    await ended
  }
}

/**
 * Lets the threads that take samples in a process run before its main thread. Otherwise a sample waits, and sees a thread that has gone
 * to sleep. V8 ends these threads with the profile, so nothing has to be taken back.
 */
export function favourSampling(pid: number): void {
  try {
    for (const id of listThreads(pid, SAMPLING_THREAD))
      execFileSync('chrt', ['-f', '-p', '2', String(id)], { stdio: 'ignore' })
  } catch {
    // Without it, the control shows how much the profile missed.
  }
}
