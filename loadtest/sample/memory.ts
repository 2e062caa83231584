import { readFileSync } from 'node:fs'
import { listDescendants, readProcesses } from './machine.ts'

export interface TreeMemory {
  /** Resident memory, with each page divided by the number of processes that share it (PSS). */
  readonly proportionalBytes: number
  /**
   * Resident memory (RSS). Memory that several processes share, mostly the code of Node.js, counts for each of them.
   */
  readonly residentBytes: number
}

/**
 * Memory of some processes and all their descendants; null on systems without /proc/PID/smaps_rollup.
 * @param roots ids of the processes; this process by default
 * @param all the processes among which the descendants are; read now by default
 */
export function readTreeMemory(
  roots: readonly number[] = [process.pid],
  all = readProcesses(),
): TreeMemory | null {
  try {
    const rollups = roots
      .flatMap(root => [root, ...listDescendants(root, all)])
      .map(pid => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
    const sum = (field: string) => rollups.reduce((bytes, rollup) => bytes + parseRollup(rollup, field), 0)
    return { proportionalBytes: sum('Pss'), residentBytes: sum('Rss') }
  } catch {
    return null
  }
}

/** Reads a field such as `Pss: 837 kB` in bytes, see proc_pid_smaps(5). */
export function parseRollup(rollup: string, field: string): number {
  const [, kilobytes] = new RegExp(`^${field}: +(\\d+) kB$`, 'm').exec(rollup) ?? []
  if (kilobytes === undefined) throw new RangeError(`there is no ${field} in ${JSON.stringify(rollup)}`)
  return Number(kilobytes) * 1024
}
