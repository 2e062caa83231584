import type { LogRecord } from '../record.ts'

/** Where lines are delivered. */
export interface Target {
  readonly name: string
  /** Resolves once all of them are where they should be; rejects when none or only some are, and is then called again. */
  deliver(records: readonly LogRecord[]): Promise<void>
  /** Nobody waits any more for what is still being delivered; it is delivered again by the next transport. */
  close(): Promise<void>
}
