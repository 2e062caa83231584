import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createComplaint } from '../lib/cli/terminal.ts'
import { record } from '../lib/record.ts'
import { Checkpoint, type Progress, type Saved } from './checkpoint.ts'
import { lineCounts, noLines } from './metrics.ts'
import { isCount } from './protocol.ts'

export const CHECKPOINT_FILE = 'checkpoint.json'
/** It has about 200 bytes for each writer and target. */
const MAX_BYTES = 16 * 2 ** 20

/**
 * The file with the positions of all targets. It is saved after every delivery. After a transport has died, only lines that
 * were delivered after the last save are delivered again.
 */
export class CheckpointFile {
  readonly #path: string
  /** What the file had at the start. A target that is not served now keeps its part. */
  readonly #saved: Readonly<Record<string, Saved>>
  /** The error of a file that is there and cannot be read. */
  readonly error: Error | undefined
  readonly #checkpoints = new Map<string, Checkpoint>()
  readonly #complain = createComplaint()
  #writing: Promise<void> = Promise.resolve()
  #waiting: Promise<void> | undefined

  /**
   * Reads the file. A position that is not valid is ignored, so the lines of its writer are delivered from the beginning. If the
   * file is missing or broken, this holds for all writers.
   */
  constructor(path: string) {
    this.#path = path
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    let saved: Readonly<Record<string, Saved>> = {}
    try {
      saved = readSaved(path)
    } catch (error) {
      this.error = error as Error
    }
    this.#saved = saved
  }

  /** The checkpoint of a target. One that the file lacks, while it has others, was added later. */
  of(target: string): Checkpoint {
    const saved = this.#saved[target]
    const isLate = !saved && Object.keys(this.#saved).length > 0
    const checkpoint = new Checkpoint(saved ?? { ...noLines(), positions: {} }, isLate, () => this.save())
    this.#checkpoints.set(target, checkpoint)
    return checkpoint
  }

  /** Saves what all checkpoints have now. What several targets ask for during a write is saved by the next one. */
  save(): Promise<void> {
    this.#waiting ??= this.#writing.then(() => {
      this.#waiting = undefined
      this.#writing = this.#write()
      return this.#writing
    })
    return this.#waiting
  }

  /**
   * Writes a file beside the checkpoint and renames it, so that a reader finds the old or the new checkpoint, never
   * half of one. On a full disk the write fails, and this only complains: delivery must continue, because deleting
   * delivered segments frees the disk.
   */
  async #write(): Promise<void> {
    try {
      const saved = { ...this.#saved, ...Object.fromEntries(this.#checkpoints) }
      await writeFile(`${this.#path}.part`, JSON.stringify(saved), { mode: 0o600 })
      await rename(`${this.#path}.part`, this.#path)
    } catch (error) {
      this.#complain(`logger-transport: the checkpoint cannot be saved: ${(error as Error).message}`)
    }
  }
}

/** @throws if the file is broken */
function readSaved(path: string): Record<string, Saved> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return {}
  if (!found.isFile() || found.size > MAX_BYTES) throw new Error('it is no checkpoint')
  return understood(JSON.parse(readFileSync(path, 'utf8')), toSaved)
}

/** @returns the values that are understood. @throws if `given` is null */
function understood<Value>(given: object, understand: (value: unknown) => Value | undefined) {
  const entries = Object.entries(given).map(([key, value]) => [key, understand(value)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, Value>
}

function toSaved(given: unknown): Saved {
  const { positions, ...counts } = (given ?? {}) as Record<string, unknown>
  return {
    ...record(lineCounts, key => (isCount(counts[key]) ? counts[key] : 0)),
    positions: understood(positions ?? {}, toProgress),
  }
}

function toProgress(given: unknown): Progress | undefined {
  const { segment, offset, resume = 0, epoch = 1, line = 0, ...rest } = (given ?? {}) as Progress
  const { settled = line, fromMiddle = false, isOver = false } = rest
  if (![segment, offset, resume, epoch, line, settled].every(isCount) || segment === 0) return undefined
  return { segment, offset, resume, epoch, line, settled, fromMiddle, isOver }
}
