import { permissionFlags } from './permissions.ts'

/**
 * Flags that bound the memory of a process. The lines that logger-transport reads live as long as their delivery. Without
 * bounds, V8 lets the space for new objects grow under full load, and collects the old ones late. About 15 MiB of the
 * heap are in use after a collection.
 */
const memoryFlags: Readonly<Record<string, readonly string[]>> = {
  'logger-transport': ['--max-semi-space-size=4', '--max-old-space-size=64'],
}

/** Flags of Node.js with which a sidecar runs, by its options. @returns no flags for a process that is not a sidecar */
export const nodeFlagsOf = (process: string, given: Readonly<Record<string, unknown>>): string[] => [
  ...permissionFlags(process, given),
  ...(memoryFlags[process] ?? []),
]
