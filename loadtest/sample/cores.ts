import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { appOptions } from '../../app/config.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Stack } from '../../stack/stack.ts'
import { listDescendants } from './machine.ts'

/** An app has at most so many instances, and at most so many threads a pool. */
export const MOST_CORES = Math.min(appOptions.instances.max, appOptions.threads.max)

/** The cores that a process may use; none where the system does not tell. See proc_pid_status(5), Cpus_allowed_list. */
export function readCores(pid: number): number[] {
  try {
    const [, list = ''] =
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return parseCores(list)
  } catch {
    return []
  }
}

/** `0-2,5` as the numbers of the cores. */
export const parseCores = (list: string): number[] =>
  list
    .split(',')
    .filter(Boolean)
    .flatMap(range => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })

/**
 * How many cores a row is to use: all unless given.
 * @throws UserError when all are more than an app can use
 */
export function countCores(given: number | undefined, all: number = availableParallelism()): number {
  if (given === undefined && all > MOST_CORES)
    throw new UserError(`of ${all} cores an app can use ${MOST_CORES}; say how many with --cores`)
  return given ?? all
}

/**
 * So many of the cores that this process may use; null when that is all of them, for then nobody has to be kept there.
 * @throws UserError when there are not so many
 */
export function chooseCores(count: number): number[] | null {
  const all = availableParallelism()
  if (count > all)
    throw new UserError(`--cores expects at most ${all}, all that there are; received ${count}`)
  return count === all ? null : readCores(process.pid).slice(0, count)
}

/**
 * Keeps the app and its sidecars, with all their processes and threads, on some cores; whatever else this process has
 * started or will start has the others.
 * @throws UserError where that cannot be done
 */
export function keepOnCores({ processes }: Stack, cores: readonly number[]): void {
  const others = readCores(process.pid).filter(core => !cores.includes(core))
  pin(process.pid, others)
  for (const { name, pid } of processes)
    for (const id of [pid, ...listDescendants(pid)]) pin(id, name === 'orders' ? others : cores)
}

/** @throws UserError */
function pin(pid: number, cores: readonly number[]): void {
  try {
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores.join(), String(pid)], {
      stdio: 'ignore',
    })
  } catch {
    throw new UserError(
      'processes cannot be kept on some cores here (taskset of util-linux); leave out --cores',
    )
  }
}
