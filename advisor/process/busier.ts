import { listDescendants } from '../../loadtest/sample/machine.ts'
import { isNode, processMicros } from './proc.ts'

/** A process does clearly more than another if it uses this many times its CPU time. */
const CLEARLY_MORE = 2
/** Less CPU time than this is not worth a word; the kernel tells it in hundredths of a second. */
const LEAST_MICROS = 100_000

/** The CPU time of a descendant in one window, and that of the process itself. */
export type Busier = Readonly<Record<'pid' | 'cpuMicros' | 'ownMicros', number>>

/**
 * Begins to watch the CPU time of a process and of those that it has started: a process that listens may only distribute
 * connections or requests.
 * @returns a function that tells which Node.js process among its descendants has since used clearly more CPU time than the
 * process itself; undefined if none has, or the system does not tell
 */
export function watchDescendants(root: number): () => Busier | undefined {
  const before = readTree(root)
  return () => {
    const used = [...readTree(root)]
      .map(([pid, micros]) => ({ pid, cpuMicros: micros - (before.get(pid) ?? 0) }))
      .sort((one, other) => other.cpuMicros - one.cpuMicros)
    const ownMicros = used.find(({ pid }) => pid === root)?.cpuMicros ?? 0
    const busiest = used.find(({ pid }) => pid !== root && isNode(pid))
    const least = Math.max(LEAST_MICROS, CLEARLY_MORE * ownMicros)
    return busiest && busiest.cpuMicros > least ? { ...busiest, ownMicros } : undefined
  }
}

const readTree = (root: number): Map<number, number> =>
  new Map([root, ...listDescendants(root)].map(pid => [pid, processMicros(pid)]))
