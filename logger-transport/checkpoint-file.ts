import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { count, flag, object, orAbsent, record as recordOf, text } from '../lib/check.ts'
import { createComplaint } from '../lib/cli/terminal.ts'
import { record } from '../lib/record.ts'
import { Checkpoint, type Saved } from './checkpoint.ts'
import { lineCounts, noLines } from './metrics.ts'

export const CHECKPOINT_FILE = 'checkpoint.json'
/** It has about 200 bytes for each writer and target. */
const MAX_BYTES = 16 * 2 ** 20

const name = text(MAX_BYTES)
const isProgress = object({
  ...record(['segment', 'offset', 'epoch', 'line', 'settled'] as const, () => count),
  resume: orAbsent(count),
  fromMiddle: orAbsent(flag),
  isOver: orAbsent(flag),
})
const isSaved = object({
  ...record(lineCounts, () => count),
  positions: recordOf(name, isProgress, MAX_BYTES),
})
const isCheckpoint = recordOf(name, isSaved, MAX_BYTES)

/**
 * The file with the positions of all targets. It is saved after every delivery. After a transport has died, only lines that
 * were delivered after the last save are delivered again.
 */
export class CheckpointFile {
  readonly #path: string
  /** What the file had at the start. A target that is not served now keeps its part. */
  readonly #saved: Readonly<Record<string, Saved>>
  /** The error of a file that is there and is no checkpoint. */
  readonly error: Error | undefined
  readonly #checkpoints = new Map<string, Checkpoint>()
  readonly #complain = createComplaint()
  #writing: Promise<void> = Promise.resolve()
  #waiting: Promise<void> | undefined

  /** Reads the file. If it is missing or broken, the lines of all writers are delivered from the beginning. */
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
function readSaved(path: string): Readonly<Record<string, Saved>> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return {}
  const saved: unknown = found.isFile() && found.size <= MAX_BYTES && JSON.parse(readFileSync(path, 'utf8'))
  if (!isCheckpoint(saved)) throw new Error('it is no checkpoint')
  return saved as Readonly<Record<string, Saved>>
}
