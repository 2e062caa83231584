import { readdirSync, readFileSync } from 'node:fs'
import { readWaiting, type Waiting, waitRatioOf } from './threads.ts'

/** CPU time of all cores since the machine started, in ticks of the kernel. */
interface Reading {
  readonly total: number
  readonly busy: number
  /** CPU time that the host of a virtual machine has given to others. */
  readonly stolen: number
  /** CPU time of this process and all its descendants, by process id. */
  readonly own: ReadonlyMap<number, number>
  readonly waiting: Waiting | null
}

/** The use of the machine in one window. Shares are of the CPU time of all cores. */
export interface MachineUse {
  readonly stealShare: number
  /** CPU time of other processes. */
  readonly othersShare: number
  /** CPU time of this process and its descendants. */
  readonly ownShare: number
  /**
   * Milliseconds that the measured main threads waited for a core, for each that they ran; null when the system does not tell.
   */
  readonly waitRatio: number | null
}

/**
 * @param mainThreads ids of the threads that are measured; a main thread has the id of its process
 * @returns a function that reads the use of the machine since then; its answer is null on systems without /proc
 */
export function watchMachine(
  mainThreads: readonly number[],
  all = readProcesses(),
): (all?: Processes) => MachineUse | null {
  const before = read(mainThreads, all)
  return (all = readProcesses()) => {
    const after = read(mainThreads, all)
    return before && after && compareReadings(before, after)
  }
}

export function compareReadings(before: Reading, after: Reading): MachineUse {
  const total = after.total - before.total
  const own = [...after.own].reduce((sum, [pid, ticks]) => sum + ticks - (before.own.get(pid) ?? 0), 0)
  return {
    stealShare: (after.stolen - before.stolen) / total,
    // The kernel samples the ticks of the machine but counts those of a process exactly, so the difference may be
    // negative.
    othersShare: Math.max(0, after.busy - before.busy - own) / total,
    ownShare: own / total,
    waitRatio: waitRatioOf(before.waiting, after.waiting),
  }
}

function read(mainThreads: readonly number[], all: Processes): Reading | null {
  try {
    return {
      ...parseMachine(readFileSync('/proc/stat', 'utf8')),
      own: treeOf(process.pid, all),
      waiting: readWaiting(mainThreads),
    }
  } catch {
    return null
  }
}

/** Reads the first line of /proc/stat, see proc_stat(5): `cpu user nice system idle iowait irq softirq steal …`. */
export function parseMachine(stat: string) {
  const ticks = stat.slice(0, stat.indexOf('\n')).split(/ +/).slice(1).map(Number)
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, stolen = 0] = ticks
  const busy = user + nice + system + interrupts + soft
  return { busy, stolen, total: busy + idle + waiting + stolen }
}

/** Ids of all descendants of a process. Empty on systems without /proc. */
export const listDescendants = (root = process.pid, all = readProcesses()): number[] =>
  [...treeOf(root, all).keys()].filter(pid => pid !== root)

/** Ids of the processes that a process has started and that still run. Empty on systems without /proc. */
export const listChildren = (parent: number, all = readProcesses()): number[] =>
  all.filter(process => process.parent === parent).map(({ pid }) => pid)

export type Processes = ReturnType<typeof readProcesses>

/**
 * Reads all processes of the machine, in milliseconds of CPU time, so several questions about one moment share one reading.
 * Empty on systems without /proc.
 */
export function readProcesses() {
  try {
    return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? readProcess(Number(name)) : []))
  } catch {
    return []
  }
}

/** CPU time of a process and all its descendants, by process id. */
function treeOf(root: number, all: Processes): Map<number, number> {
  const own = new Map<number, number>()
  const add = (pid: number) => {
    for (const process of all) {
      if (process.pid === pid) own.set(pid, process.ticks)
      else if (process.parent === pid) add(process.pid)
    }
  }
  add(root)
  return own
}

/**
 * Reads a process, see proc_pid_stat(5); its name stands in parentheses and may contain any character.
 * @returns its CPU time, and that of children which it has waited for; empty when the process has ended
 */
export function readProcess(pid: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
    return [{ pid, parent: fields[1], ticks: user + system, endedTicks: endedUser + endedSystem }]
  } catch {
    return []
  }
}

/**
 * Resident memory in bytes of some processes and their descendants, with each page divided by the number of processes that share it
 * (PSS). Null on systems without /proc/PID/smaps_rollup.
 */
export function readTreeMemory(roots: readonly number[], all: Processes): number | null {
  try {
    return roots
      .flatMap(root => [root, ...listDescendants(root, all)])
      .map(pid => parsePss(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')))
      .reduce((sum, bytes) => sum + bytes, 0)
  } catch {
    return null
  }
}

/** Reads `Pss: 837 kB` in bytes, see proc_pid_smaps(5). */
export function parsePss(rollup: string): number {
  const [, kilobytes] = /^Pss: +(\d+) kB$/m.exec(rollup) ?? []
  if (kilobytes === undefined) throw new RangeError(`there is no Pss in ${JSON.stringify(rollup)}`)
  return Number(kilobytes) * 1024
}
