import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { appOptions } from '../../app/config.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { RunningStack } from '../../stack/stack.ts'
import { listDescendants } from './machine.ts'

/** The most cores that an app can use, by the limits of its instances and of its threads in a pool. */
export const MOST_CORES = Math.min(appOptions.instances.max, appOptions.threads.max)

/** The cores that a process may use; empty when the system does not tell. See proc_pid_status(5), Cpus_allowed_list. */
export function readCores(pid: number): number[] {
  try {
    const [, list = ''] =
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return parseCores(list)
  } catch {
    return []
  }
}

/** Reads a list of cores such as `0-2,5`: [0, 1, 2, 5]. */
export const parseCores = (list: string): number[] =>
  list
    .split(',')
    .filter(Boolean)
    .flatMap(range => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })

/** Chooses this many of the cores that the process may use; null when that is all of them: then nothing has to be pinned. */
export const chooseCores = (count: number): number[] | null =>
  count === availableParallelism() ? null : readCores(process.pid).slice(0, count)

/**
 * Chooses this many of the cores that the process may use, and leaves others to clients and upstream.
 * @throws UserError when none is left
 */
export function chooseCoresApart(count: number): number[] | null {
  const most = availableParallelism() - 1
  if (count > most)
    throw new UserError(
      `clients and upstream need a real core of their own: --cores expects at most ${most}; received ${count}`,
    )
  return chooseCores(count)
}

/**
 * Pins the app and its sidecars, with all their processes and threads, to some cores, and everything else that this
 * process has started or will start to the other cores.
 * @returns a function that gives this process back the cores that it had
 * @throws UserError when the system cannot pin processes
 */
export function keepOnCores({ processes }: RunningStack, cores: readonly number[]): () => void {
  const all = readCores(process.pid)
  const others = all.filter(core => !cores.includes(core))
  pin(process.pid, others)
  for (const { name, pid } of processes)
    for (const id of [pid, ...listDescendants(pid)]) pin(id, name === 'orders' ? others : cores)
  return () => pin(process.pid, all)
}

/** @throws UserError when the system cannot pin processes */
function pin(pid: number, cores: readonly number[]): void {
  const words = ['--all-tasks', '--cpu-list', '--pid', cores.join(), String(pid)]
  try {
    execFileSync('taskset', words, { stdio: 'ignore' })
  } catch {
    throw new UserError(
      'processes cannot be kept on some cores here (taskset of util-linux); leave out --cores',
    )
  }
}
