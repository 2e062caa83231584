/** The bounds of the options of a pool, the same on the command line and in code. */
export const poolBounds = {
  threads: { min: 1, max: 64 },
  workerPriority: { min: 0, max: 19 },
  workerMemoryMib: { min: 32, max: 65_536 },
  taskTimeoutMs: { minMs: 100 },
  partTimeoutMs: { minMs: 10 },
} as const
