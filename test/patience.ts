/** More than a test takes, on however busy a machine. */
const LONG_MS = 60_000

/** Time limits that no test runs into. */
export const patience = { requestTimeoutMs: LONG_MS, ordersTimeoutMs: LONG_MS, partTimeoutMs: LONG_MS }
