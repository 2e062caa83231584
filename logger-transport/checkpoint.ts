import type { LineCounts } from './metrics.ts'
import type { Epoch } from './protocol.ts'
import { beginning, type Position } from './segment-reader.ts'
import type { KnownInfo } from './writer-info.ts'

/** The facts about an epoch that are needed before it is read. */
interface Begun extends Epoch {
  readonly info: Pick<KnownInfo, 'linesBefore'>
  readonly segments: readonly number[]
}

/** The checkpoint remembers this many writers whose directories were deleted: the most recent ones. */
const REMEMBERED = 100
const read: Position = { segment: Number.POSITIVE_INFINITY, offset: 0 }

/** The position of a target in the lines of one writer. */
interface Progress extends Position {
  readonly epoch: number
  /** Number of lines of the writer before the position, in all its epochs. */
  readonly line: number
  /** Number of lines of the writer that were read in any epoch or are known to be lost. */
  readonly settled: number
  /** Whether segments had been deleted before this target was added. If so, its number of missing lines is unknown. */
  readonly fromMiddle?: boolean
  /**
   * Whether the directory of the writer's last epoch was deleted. Another epoch may follow, and another target may
   * still have the deleted one in its list.
   */
  readonly isOver?: boolean
}

const start: Progress = { ...beginning, epoch: 1, line: 0, settled: 0 }

/** What is saved of a target. */
export type Saved = LineCounts & { readonly positions: Readonly<Record<string, Progress>> }

/** The positions of one target in the lines of each writer. */
export class Checkpoint {
  readonly #positions: Map<string, Progress>
  /** Numbers of lines, including those of earlier transports. A line that is delivered again counts once. */
  readonly counts: LineCounts
  /** Whether other targets were served from this directory before this target was added. */
  readonly #isLate: boolean
  /** Saves the checkpoints of all targets. */
  readonly write: () => Promise<void>

  constructor({ positions, ...counts }: Saved, isLate: boolean, write: () => Promise<void>) {
    this.counts = counts
    this.#positions = new Map(Object.entries(positions))
    this.#isLate = isLate
    this.write = write
  }

  toJSON(): Saved {
    return { ...this.counts, positions: Object.fromEntries(this.#positions) }
  }

  position({ instance, epoch }: Epoch): Position {
    const progress = this.#positions.get(instance)
    if (!progress || progress.epoch < epoch) return beginning
    if (progress.epoch > epoch) return read
    const { segment, offset, resume } = progress
    return { segment, offset, ...(resume && { resume }) }
  }

  /** Whether the target is reading this epoch of the writer now. */
  hasBegun({ instance, epoch }: Epoch): boolean {
    return this.#positions.get(instance)?.epoch === epoch
  }

  /**
   * Call this before an epoch is read, after all earlier epochs were read.
   * @returns the number of lines that the writer wrote to earlier epochs and that were removed before they were read
   */
  begin({ instance, epoch, info, segments: [first = 1] }: Begun): number {
    const before = this.#positions.get(instance)
    if (before && before.epoch >= epoch) return 0
    const { linesBefore = before?.settled ?? 0 } = info
    const fromMiddle = before ? before.fromMiddle : this.#isLate && (epoch > 1 || first > 1)
    const settled = Math.max(before?.settled ?? 0, fromMiddle ? linesBefore : 0)
    const isFromMiddle = fromMiddle && { fromMiddle }
    this.#positions.set(instance, { ...start, epoch, line: linesBefore, settled, ...isFromMiddle })
    return this.settle(instance, linesBefore)
  }

  /**
   * Counts as lost all lines up to this one that were not read and not counted as lost before.
   * @returns the number of lines that this call counted as lost
   */
  settle(instance: string, line: number): number {
    const progress = this.#positions.get(instance)
    if (!progress || progress.fromMiddle || progress.settled >= line) return 0
    const lost = line - progress.settled
    this.#positions.set(instance, { ...progress, settled: line })
    this.counts.dropped += lost
    return lost
  }

  /** Returns the number of lines, from the position on, that were read in an earlier epoch already. */
  repeated(instance: string): number {
    const { settled, line } = this.#positions.get(instance) ?? start
    return Math.max(0, settled - line)
  }

  /**
   * Saves a new position after a delivery.
   * @param position the end of the delivered lines
   * @param lines the number of lines between the last position and this one; lines that an earlier epoch contained too
   * are included here, but do not count as delivered again
   * @param rejected the number of these lines that the target refused for good
   */
  async save(
    { instance, epoch }: Epoch,
    { segment, offset }: Position,
    lines: number,
    rejected: number,
  ): Promise<void> {
    const { resume = 0, ...before } = this.#positions.get(instance) ?? start
    const line = before.line + lines
    const settled = Math.max(before.settled, line)
    this.counts.delivered += settled - before.settled - rejected
    this.counts.rejected += rejected
    // `drop` may have skipped segments while lines of the segment before them were in delivery.
    const at = segment === before.segment ? { segment, resume } : { segment: Math.max(segment, resume) }
    this.#positions.set(instance, { ...before, epoch, ...at, offset, line, settled })
    await this.write()
  }

  /**
   * Skips segments of an epoch that the target is reading. None of their lines may be in delivery.
   * @param resume the number of the segment to continue with
   * @param lines the number of lines in the skipped segments
   */
  async drop({ instance }: Epoch, resume: number, lines: number): Promise<void> {
    const { line, settled, ...progress } = this.#positions.get(instance) as Progress
    this.#positions.set(instance, { ...progress, resume, line: line + lines, settled: settled + lines })
    this.counts.dropped += lines
    await this.write()
  }

  /** Call this when the directory of an epoch is deleted. */
  async forget({ instance, epoch }: Epoch): Promise<void> {
    const progress = this.#positions.get(instance)
    if (progress?.epoch !== epoch) return
    this.#positions.delete(instance)
    this.#positions.set(instance, { ...progress, isOver: true })
    const over = [...this.#positions].filter(([, each]) => each.isOver)
    for (const [oldest] of over.slice(0, -REMEMBERED)) this.#positions.delete(oldest)
    await this.write()
  }
}

/** A target and its checkpoint. */
export interface Followed {
  readonly name: string
  readonly checkpoint: Checkpoint
  /** Writes a line about a problem of this target to stderr, at most once a minute. */
  complain(line: string): void
}
