import { readdirSync, readFileSync } from 'node:fs'
import { listDescendants, type Processes, readProcesses } from './machine.ts'
import { parseWaiting } from './waiting.ts'

/** CPU time of the threads of one name in one process and the processes that it has started. */
export interface ThreadTime {
  /** The name of the process: `app`, `orders`, `generator`. */
  readonly process: string
  /** The name that the system knows the threads by: `node-MainThread`, `WorkerThread`, `render`, `node-V8Worker`. */
  readonly thread: string
  /** CPU microseconds for each good response. */
  readonly cpuMicros: number
}

/** A process to watch, with its name. */
export interface NamedProcess {
  readonly name: string
  readonly pid: number
}

/** CPU time by process and by thread, in nanoseconds. */
type Reading = ReadonlyMap<
  string,
  { readonly process: string; readonly thread: string; readonly ranNs: number }
>

/**
 * Starts to watch all threads of some processes.
 * @param all the processes among which their descendants are; read now by default
 * @returns a function that reads their CPU time since then; its answer is null on systems without /proc
 */
export function watchThreads(
  processes: readonly NamedProcess[],
  all = readProcesses(),
): (all?: Processes) => ThreadTime[] | null {
  const before = read(processes, all)
  return (all = readProcesses()) => {
    const after = read(processes, all)
    return before && after && sumByName(before, after)
  }
}

/** Adds up the threads of one name. A thread that started meanwhile counts from its start. */
function sumByName(before: Reading, after: Reading): ThreadTime[] {
  const sums = new Map<string, ThreadTime>()
  for (const [id, { process, thread, ranNs }] of after) {
    const key = `${process} ${thread}`
    const cpuMicros = (ranNs - (before.get(id)?.ranNs ?? 0)) / 1000 + (sums.get(key)?.cpuMicros ?? 0)
    sums.set(key, { process, thread, cpuMicros })
  }
  return [...sums.values()]
}

function read(processes: readonly NamedProcess[], all: Processes): Reading | null {
  try {
    return new Map(
      processes.flatMap(({ name, pid }) =>
        [pid, ...listDescendants(pid, all)].flatMap(each => readThreads(name, each)),
      ),
    )
  } catch {
    return null
  }
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
