import { mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createComplaint } from '../lib/complaint.ts'
import { beginning, type Position } from './segment-reader.ts'

/**
 * How far one target has got with each writer, saved after every delivery: a transport that dies delivers again what
 * came after the last save, and nothing else.
 */
export class Checkpoint {
  readonly #file: string
  readonly #positions: Map<string, Position>
  readonly #complain = createComplaint()

  constructor(file: string) {
    this.#file = file
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    this.#positions = new Map(readPositions(file))
  }

  position(writer: string): Position {
    return this.#positions.get(writer) ?? beginning
  }

  async save(writer: string, position: Position): Promise<void> {
    this.#positions.set(writer, position)
    await this.#write()
  }

  async forget(writer: string): Promise<void> {
    if (this.#positions.delete(writer)) await this.#write()
  }

  /**
   * Written beside and renamed, so that a reader finds the old or the new, never half of one. On a full disk it cannot
   * be: delivering, and deleting what is delivered, has to go on all the same, as that is what makes room.
   */
  async #write(): Promise<void> {
    try {
      await writeFile(`${this.#file}.part`, JSON.stringify(Object.fromEntries(this.#positions)), {
        mode: 0o600,
      })
      await rename(`${this.#file}.part`, this.#file)
    } catch (error) {
      this.#complain(`logger-transport: the checkpoint cannot be saved: ${(error as Error).message}`)
    }
  }
}

/** What is no position is not believed: such a writer is delivered from its beginning. */
function readPositions(file: string): [writer: string, position: Position][] {
  try {
    return Object.entries(JSON.parse(readFileSync(file, 'utf8'))).filter(isSaved)
  } catch {
    return []
  }
}

function isSaved(entry: [writer: string, saved: unknown]): entry is [string, Position] {
  const { segment = 0, offset = -1 } = (entry[1] ?? {}) as Partial<Position>
  return Number.isSafeInteger(segment) && segment >= 1 && Number.isSafeInteger(offset) && offset >= 0
}
