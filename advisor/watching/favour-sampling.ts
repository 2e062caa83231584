import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** V8's name for the threads that take samples. */
const SAMPLING_THREAD = 'v8:ProfEvntProc'

/** It reads its input until this process closes it or ends, however it ends. */
const FAVOUR = 'chrt -f -p 1 "$1" && { read -r _; chrt -o -p 0 "$1"; }'

/**
 * Lets a main thread, and the threads that take samples in its process, run as soon as they wake (SCHED_FIFO, see sched(7)).
 * Otherwise, where cores are shared, the sample waits, and sees a thread that has gone to sleep; and a main thread that writes to a
 * pipe or socket lets the reader run first, so that the write seems to take long: a profile counts by the clock. The system allows
 * this to root only, and the command is part of util-linux and busybox. V8 ends its threads with the profile.
 * @returns a function that takes it back
 */
export function favourSampling(pid: number): () => Promise<void> {
  try {
    const nameOf = (id: string) => readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim()
    const threads = readdirSync(`/proc/${pid}/task`).filter(id => nameOf(id) === SAMPLING_THREAD)
    for (const id of threads) execFileSync('chrt', ['-f', '-p', '2', id], { stdio: 'ignore' })
  } catch {
    // Without it, the control shows how much the profile missed, and the wait for a core how much the shares are worth.
    return async () => {}
  }
  // A single core is needed by others, too.
  if (availableParallelism() < 2) return async () => {}
  const favouring = spawn('sh', ['-c', FAVOUR, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  return async () => {
    favouring.stdin.end()
    if (favouring.exitCode === null) await once(favouring, 'exit')
  }
}
