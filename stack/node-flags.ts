import { permissionFlags } from './permissions.ts'

/**
 * Flags that bound the memory of a process. The lines that logger-transport reads live as long as their delivery, so V8
 * would let the space for new objects grow: under full load the heap has 113 MiB without this flag and 45 MiB with it, at
 * the same cost.
 */
const memoryFlags: Readonly<Record<string, readonly string[]>> = {
  'logger-transport': ['--max-semi-space-size=4'],
}

/** Flags of Node.js with which a sidecar runs, by its options. @returns no flags for a process that is not a sidecar */
export const nodeFlagsOf = (process: string, given: Readonly<Record<string, unknown>>): string[] => [
  ...permissionFlags(process, given),
  ...(memoryFlags[process] ?? []),
]
