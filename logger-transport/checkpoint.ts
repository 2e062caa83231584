import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createComplaint } from '../lib/complaint.ts'
import type { Epoch, WriterInfo } from './protocol.ts'
import { type Progress, readSaved } from './saved-checkpoint.ts'
import { beginning, type Position } from './segment-reader.ts'

/** The facts about an epoch that are needed before it is read. */
interface Begun extends Epoch {
  readonly info: Pick<WriterInfo, 'linesBefore'>
  readonly segments: readonly number[]
}

/** Number of writers that are over and still remembered: the last ones. */
const REMEMBERED = 100
const read: Position = { segment: Number.POSITIVE_INFINITY, offset: 0 }

/**
 * How far one target has got with each writer, saved after every delivery: a transport that dies delivers again what
 * came after the last save, and nothing else.
 */
export class Checkpoint {
  readonly #file: string
  readonly #positions: Map<string, Progress>
  /** Other targets have been served here before this one came. */
  readonly #isLate: boolean
  #delivered: number
  #dropped: number
  readonly #complain = createComplaint()
  #writing: Promise<void> = Promise.resolve()

  constructor(file: string) {
    this.#file = file
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    this.#isLate = !existsSync(file) && readdirSync(dirname(file)).some(isCheckpoint)
    const { delivered, dropped, positions } = readSaved(file)
    this.#delivered = delivered
    this.#dropped = dropped
    this.#positions = new Map(positions)
  }

  /** Lines up to all positions that ever were; what is delivered again does not count again. */
  get delivered(): number {
    return this.#delivered
  }

  /** Lines that the target never gets: too many waited for it, or someone removed their segments. */
  get dropped(): number {
    return this.#dropped
  }

  position({ instance, epoch }: Epoch): Position {
    const progress = this.#positions.get(instance)
    if (!progress || progress.epoch < epoch) return beginning
    if (progress.epoch > epoch) return read
    const { segment, offset, resume } = progress
    return { segment, offset, ...(resume && { resume }) }
  }

  /** Whether this epoch of a writer is the one that is being read. */
  hasBegun({ instance, epoch }: Epoch): boolean {
    return this.#positions.get(instance)?.epoch === epoch
  }

  /**
   * To be called before an epoch is read, when all before it were.
   * @returns how many lines, of those that the writer says that it wrote before, were not there to read
   */
  begin({ instance, epoch, info: { linesBefore }, segments: [first = 1] }: Begun): number {
    const before = this.#positions.get(instance)
    if (before && before.epoch >= epoch) return 0
    const fromMiddle = before ? before.fromMiddle : this.#isLate && (epoch > 1 || first > 1)
    const settled = Math.max(before?.settled ?? 0, fromMiddle ? linesBefore : 0)
    this.#positions.set(instance, {
      epoch,
      ...beginning,
      line: linesBefore,
      settled,
      ...(fromMiddle && { fromMiddle }),
    })
    return this.settle(instance, linesBefore)
  }

  /** @returns how many lines up to this one were neither read nor known to be lost; from now on they are */
  settle(instance: string, line: number): number {
    const progress = this.#positions.get(instance)
    if (!progress || progress.fromMiddle || progress.settled >= line) return 0
    const lost = line - progress.settled
    this.#positions.set(instance, { ...progress, settled: line })
    this.#dropped += lost
    return lost
  }

  /** How many of the next lines of a writer were read in an earlier epoch. */
  repeated(instance: string): number {
    const { settled, line } = this.#positions.get(instance) ?? { settled: 0, line: 0 }
    return Math.max(0, settled - line)
  }

  /**
   * @param position where the delivered lines end
   * @param lines how many more lie before the position; repeated lines do not count again
   */
  async save({ instance, epoch }: Epoch, { segment, offset }: Position, lines: number): Promise<void> {
    const { resume = 0, ...before } = this.#positions.get(instance) ?? { ...beginning, line: 0, settled: 0 }
    const line = before.line + lines
    const settled = Math.max(before.settled, line)
    this.#delivered += settled - before.settled
    // Segments may have been dropped while lines of the segment before them were being delivered.
    const at = segment === before.segment ? { segment, resume } : { segment: Math.max(segment, resume) }
    this.#positions.set(instance, { ...before, epoch, ...at, offset, line, settled })
    await this.write()
  }

  /**
   * Passes over segments of an epoch that has begun; none of their lines is being delivered.
   * @param resume the segment to continue with
   * @param lines how many lines the segments hold
   */
  async drop({ instance }: Epoch, resume: number, lines: number): Promise<void> {
    const progress = this.#positions.get(instance) as Progress
    const { line, settled } = progress
    this.#positions.set(instance, { ...progress, resume, line: line + lines, settled: settled + lines })
    this.#dropped += lines
    await this.write()
  }

  /** To be called when the directory of an epoch is deleted. */
  async forget({ instance, epoch }: Epoch): Promise<void> {
    const progress = this.#positions.get(instance)
    if (progress?.epoch !== epoch) return
    this.#positions.delete(instance)
    this.#positions.set(instance, { ...progress, isOver: true })
    const over = [...this.#positions].filter(([, each]) => each.isOver)
    for (const [oldest] of over.slice(0, -REMEMBERED)) this.#positions.delete(oldest)
    await this.write()
  }

  /** One write at a time: another target that deletes a directory may ask for one as well. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow())
    return this.#writing
  }

  /**
   * Written beside and renamed, so that a reader finds the old or the new, never half of one. On a full disk it cannot
   * be: delivering, and deleting what is delivered, has to go on all the same, as that is what makes room.
   */
  async #writeNow(): Promise<void> {
    try {
      const positions = Object.fromEntries(this.#positions)
      const saved = JSON.stringify({ delivered: this.#delivered, dropped: this.#dropped, positions })
      await writeFile(`${this.#file}.part`, saved, { mode: 0o600 })
      await rename(`${this.#file}.part`, this.#file)
    } catch (error) {
      this.#complain(`logger-transport: the checkpoint cannot be saved: ${(error as Error).message}`)
    }
  }
}

const isCheckpoint = (name: string) => /^checkpoint-.*\.json$/.test(name)
