import { readdirSync, readFileSync } from 'node:fs'

/** CPU time since the machine started, of all its cores, in the kernel's ticks. */
interface Reading {
  readonly total: number
  readonly busy: number
  /** Taken by the machine below this one, where this is a virtual one. */
  readonly stolen: number
  /** By process id, of this process and all that descend from it. */
  readonly own: ReadonlyMap<number, number>
}

/** What went on in a window besides what was measured, as shares of all cores. */
export interface MachineUse {
  readonly stealShare: number
  /** Processes that are not the load test's. */
  readonly othersShare: number
}

/** Starts watching; the function answered tells what went on since. Null where there is no /proc. */
export function watchMachine(): () => MachineUse | null {
  const before = read()
  return () => {
    const after = read()
    return before && after && compareReadings(before, after)
  }
}

export function compareReadings(before: Reading, after: Reading): MachineUse {
  const total = after.total - before.total
  const own = [...after.own].reduce((sum, [pid, ticks]) => sum + ticks - (before.own.get(pid) ?? 0), 0)
  return {
    stealShare: (after.stolen - before.stolen) / total,
    // Ticks are counted by sampling for the machine and exactly for a process: the difference may be below zero.
    othersShare: Math.max(0, after.busy - before.busy - own) / total,
  }
}

function read(): Reading | null {
  try {
    return { ...parseMachine(readFileSync('/proc/stat', 'utf8')), own: readTree(process.pid) }
  } catch {
    return null
  }
}

/** The first line of /proc/stat, see proc_stat(5): `cpu  user nice system idle iowait irq softirq steal …`. */
export function parseMachine(stat: string) {
  const ticks = stat.slice(0, stat.indexOf('\n')).split(/ +/).slice(1).map(Number)
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, stolen = 0] = ticks
  const busy = user + nice + system + interrupts + soft
  return { busy, stolen, total: busy + idle + waiting + stolen }
}

/** Ids of the processes that descend from one, this one unless given. Empty where there is no /proc. */
export function listDescendants(root = process.pid): number[] {
  try {
    return [...readTree(root).keys()].filter(pid => pid !== root)
  } catch {
    return []
  }
}

function readTree(root: number): Map<number, number> {
  const processes = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? readProcess(name) : []))
  const own = new Map<number, number>()
  const add = (pid: number) => {
    for (const process of processes) {
      if (process.pid === pid) own.set(pid, process.ticks)
      else if (process.parent === pid) add(process.pid)
    }
  }
  add(root)
  return own
}

/** See proc_pid_stat(5); the name, in parentheses, may hold anything. Nothing when the process is gone. */
function readProcess(pid: string) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    return [{ pid: Number(pid), parent: fields[1], ticks: (fields[11] as number) + (fields[12] as number) }]
  } catch {
    return []
  }
}
