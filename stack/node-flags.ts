import { permissionFlags } from './permissions.ts'

/**
 * Flags for the memory of a process.
 *
 * The app: V8 makes objects in the old generation at once where objects have survived their first collections
 * (pretenuring). While an app starts, all objects survive, so objects of requests may be chosen by chance. In the old
 * generation each keeps young objects alive until the next collection of all objects, and the main thread copies these.
 * `node --trace-gc` shows it: after each collection the heap is larger.
 *
 * logger-transport: the lines that it reads live as long as their delivery. Without bounds, V8 lets the space for new
 * objects grow under full load, and collects the old ones late. About 15 MiB of the heap are in use after a collection.
 */
const memoryFlags: Readonly<Record<string, readonly string[]>> = {
  app: ['--no-allocation-site-pretenuring'],
  'logger-transport': ['--max-semi-space-size=4', '--max-old-space-size=64'],
}

/** Flags of Node.js with which a process of the stack runs, by its options. */
export const nodeFlagsOf = (process: string, given: Readonly<Record<string, unknown>>): string[] => [
  ...permissionFlags(process, given),
  ...(memoryFlags[process] ?? []),
]
