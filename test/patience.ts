/** A test takes less time than this on any machine, however busy. */
const LONG_MS = 60_000

/** Time limits that no test reaches. */
export const patience = { requestTimeoutMs: LONG_MS, ordersTimeoutMs: LONG_MS, partTimeoutMs: LONG_MS }
