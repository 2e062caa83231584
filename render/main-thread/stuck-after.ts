/** So that a thread that has just started is not taken for stuck. */
const AT_LEAST_MS = 500

/** The time after which a thread that has a core and makes no progress is stuck. @param limitMs the limit of its work */
export const stuckAfter = (limitMs: number): number => Math.max(AT_LEAST_MS, limitMs)
