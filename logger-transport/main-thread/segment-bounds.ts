/** What the bounds of a writer may be, in MiB. */
export const memoryMibBounds = { min: 1, max: 4096 } as const
export const diskMibBounds = { min: 8, max: 1_000_000 } as const
