import { mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createComplaint } from '../lib/complaint.ts'
import { beginning, type Position } from './segment-reader.ts'

interface Saved {
  readonly delivered: number
  readonly dropped: number
  readonly positions: readonly (readonly [writer: string, position: Position])[]
}

/**
 * How far one target has got with each writer, saved after every delivery: a transport that dies delivers again what
 * came after the last save, and nothing else.
 */
export class Checkpoint {
  readonly #file: string
  readonly #positions: Map<string, Position>
  #delivered: number
  #dropped: number
  #saving: Promise<void> = Promise.resolve()
  readonly #complain = createComplaint()

  constructor(file: string) {
    this.#file = file
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const { delivered, dropped, positions } = readSaved(file)
    this.#delivered = delivered
    this.#dropped = dropped
    this.#positions = new Map(positions)
  }

  /** Lines up to all positions that ever were; what is delivered again does not count again. */
  get delivered(): number {
    return this.#delivered
  }

  /** Lines that were passed over because too much waited for the target. */
  get dropped(): number {
    return this.#dropped
  }

  position(writer: string): Position {
    return this.#positions.get(writer) ?? beginning
  }

  /**
   * @param position at the end of what was delivered
   * @param lines how many more were delivered
   */
  async save(writer: string, position: Position, lines: number): Promise<void> {
    // Segments may have been dropped while lines of the one before them were being delivered.
    const { segment, resume = 0 } = this.position(writer)
    const next =
      position.segment === segment
        ? { ...position, resume }
        : { ...position, segment: Math.max(position.segment, resume) }
    this.#positions.set(writer, next)
    this.#delivered += lines
    await this.#save()
  }

  /**
   * Passes over segments, of which none is being delivered.
   * @param resume the segment to go on with
   * @param lines how many are in those that are passed over
   */
  async drop(writer: string, resume: number, lines: number): Promise<void> {
    this.#positions.set(writer, { ...this.position(writer), resume })
    this.#dropped += lines
    await this.#save()
  }

  async forget(writer: string): Promise<void> {
    if (this.#positions.delete(writer)) await this.#save()
  }

  /** One write at a time, as all go through the same file. */
  #save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#write())
    return this.#saving
  }

  /**
   * Written beside and renamed, so that a reader finds the old or the new, never half of one. On a full disk it cannot
   * be: delivering, and deleting what is delivered, has to go on all the same, as that is what makes room.
   */
  async #write(): Promise<void> {
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

/** What is no position is not believed: such a writer is delivered from its beginning. */
function readSaved(file: string): Saved {
  try {
    const { delivered, dropped, positions } = JSON.parse(readFileSync(file, 'utf8'))
    return {
      delivered: isCount(delivered) ? delivered : 0,
      dropped: isCount(dropped) ? dropped : 0,
      positions: Object.entries(positions).filter(isPositionOfWriter),
    }
  } catch {
    return { delivered: 0, dropped: 0, positions: [] }
  }
}

function isPositionOfWriter(entry: [writer: string, saved: unknown]): entry is [string, Position] {
  const { segment = 0, offset, resume = 0 } = (entry[1] ?? {}) as Partial<Position>
  return isCount(segment) && segment >= 1 && isCount(offset) && isCount(resume)
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
