import { readdirSync, readFileSync } from 'node:fs'
import { parseWaiting } from './waiting.ts'

/** A process to watch, with its name. */
export interface NamedProcess {
  readonly name: string
  readonly pid: number
}

/** The ids of the threads of a process that have this name. Empty on systems without /proc. */
export function listThreads(pid: number, name: string): number[] {
  try {
    return readThreads('', pid).flatMap(([id, { thread }]) => (thread === name ? [Number(id)] : []))
  } catch {
    return []
  }
}

/** Reads the threads of a process, see proc_pid_task(5). Leaves out threads that end meanwhile. */
export function readThreads(process: string, pid: number) {
  return readdirSync(`/proc/${pid}/task`).flatMap(id => {
    try {
      const file = (name: string) => readFileSync(`/proc/${pid}/task/${id}/${name}`, 'utf8')
      const { ranNs } = parseWaiting(file('schedstat'))
      return [[id, { process, thread: file('comm').trim(), ranNs }] as const]
    } catch {
      return []
    }
  })
}
