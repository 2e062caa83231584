import { readFileSync } from 'node:fs'
import { listDescendants } from './machine.ts'

export interface TreeMemory {
  /** Resident memory, each page divided by how many processes share it (PSS). */
  readonly proportionalBytes: number
  /** Resident memory; what several processes share, the code of Node.js above all, counts for each (RSS). */
  readonly residentBytes: number
}

/**
 * Of processes, this one unless given, and all that descend from them; null where there is no /proc/PID/smaps_rollup.
 */
export function readTreeMemory(roots: readonly number[] = [process.pid]): TreeMemory | null {
  try {
    const rollups = roots
      .flatMap(root => [root, ...listDescendants(root)])
      .map(pid => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
    const sum = (field: string) => rollups.reduce((bytes, rollup) => bytes + parseRollup(rollup, field), 0)
    return { proportionalBytes: sum('Pss'), residentBytes: sum('Rss') }
  } catch {
    return null
  }
}

/** Bytes of a field such as `Pss:    837 kB`, see proc_pid_smaps(5). */
export function parseRollup(rollup: string, field: string): number {
  const [, kilobytes] = new RegExp(`^${field}: +(\\d+) kB$`, 'm').exec(rollup) ?? []
  if (kilobytes === undefined) throw new RangeError(`there is no ${field} in ${JSON.stringify(rollup)}`)
  return Number(kilobytes) * 1024
}
