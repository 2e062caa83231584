import { readdirSync, readFileSync } from 'node:fs'
import { parseWakeups } from '../../lib/os/usage.ts'
import { parseWaiting } from './waiting.ts'

/** The ids of the threads of a process that have this name. Empty on systems without /proc. */
export function listThreads(pid: number, name: string): number[] {
  try {
    return readThreads(pid).flatMap(({ id, thread }) => (thread === name ? [id] : []))
  } catch {
    return []
  }
}

/** Reads the threads of a process, see proc_pid_task(5). Leaves out threads that end meanwhile. */
export const readThreads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).flatMap(id => {
    try {
      return [readThread(pid, Number(id))]
    } catch {
      return []
    }
  })

/** Name, CPU time and number of wake-ups of a thread, see proc_pid_status(5) and `readWaiting`. */
export function readThread(pid: number, id: number) {
  const file = (name: string) => readFileSync(`/proc/${pid}/task/${id}/${name}`, 'utf8')
  const { ranNs } = parseWaiting(file('schedstat'))
  return { id, thread: file('comm').trim(), ranNs, wakeups: parseWakeups(file('status')) }
}
