import { record } from '../lib/record.ts'

/** What becomes of a line, for the ledger. */
export const lineCounts = ['delivered', 'dropped', 'rejected'] as const
export type LineCounts = Record<(typeof lineCounts)[number], number>
export const noLines = (): LineCounts => record(lineCounts, () => 0)

/** What is counted of a target. */
export interface TargetCounts {
  /** Includes lines of earlier transports on this directory. */
  readonly lines: LineCounts
  /** Lines that were read from segments. */
  read: number
  /** Lines that are no JSON object, and are delivered as text. */
  malformed: number
}

/** What the transport counts of itself. */
export class Metrics {
  /** Files that could not be read and were set aside. */
  quarantined = 0
  /** Measures the bytes in segments that wait for each target, by its name. */
  readLags: () => Promise<ReadonlyMap<string, number>> = async () => new Map()
  readonly targets = new Map<string, TargetCounts>()

  /** Begins to count for a target. */
  add(target: string, lines = noLines()): TargetCounts {
    const counts = { lines, read: 0, malformed: 0 }
    this.targets.set(target, counts)
    return counts
  }

  /**
   * Counts lines for the ledger. A line is delivered when every target has it, and dropped or rejected when one target
   * never gets it. So `delivered` is the smallest number of lines that any target has; `dropped` and `rejected` are those
   * of the target that lacks most lines. When no line waits any more, all three numbers belong to the same target and add
   * up to the lines that were written.
   */
  countLines(): LineCounts {
    const counts = [...this.targets.values()].map(({ lines }) => lines)
    const [most = noLines()] = counts.toSorted((a, b) => b.dropped + b.rejected - a.dropped - a.rejected)
    return { ...most, delivered: Math.min(...counts.map(({ delivered }) => delivered)) }
  }
}
