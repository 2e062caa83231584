import type { LogRecord } from '../record.ts'

/** A destination of log lines. */
export interface Target {
  readonly name: string
  /** Resolves when all records have arrived. Rejects if none or only some have arrived; it is then called again. */
  deliver(records: readonly LogRecord[]): Promise<void>
  /** Closes the target without waiting for a delivery in progress. The next transport delivers those lines again. */
  close(): Promise<void>
}
