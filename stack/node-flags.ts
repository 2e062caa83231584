import { permissionFlags } from './permissions.ts'
import { v8Flags } from './v8-flags.ts'

/** Flags of Node.js with which a process of the stack runs, by its options. */
export const nodeFlagsOf = (process: string, given: Readonly<Record<string, unknown>>): string[] => [
  ...permissionFlags(process, given),
  ...(v8Flags[process] ?? []),
]
