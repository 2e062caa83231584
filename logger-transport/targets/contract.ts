import type { LogRecord } from '../record.ts'

/** Records that a destination refuses for good: to send them again would not help. */
export interface Refusal {
  readonly count: number
  /** Empty if the destination does not say which records it refused. */
  readonly records: readonly LogRecord[]
  readonly why: string
}

/** Is thrown by a target that takes no more lines as long as this process lives. */
export class TargetGone extends Error {}

/** A destination of log lines. */
export interface Target {
  readonly name: string
  /**
   * Resolves when every record has arrived or was refused for good. Rejects if none or only some have arrived; it is then
   * called again, unless it rejects with `TargetGone`.
   */
  deliver(records: readonly LogRecord[]): Promise<readonly Refusal[]>
  /** Closes the target without waiting for a delivery in progress. The next transport delivers those lines again. */
  close(): Promise<void>
}
