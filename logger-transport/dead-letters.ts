import { dirname, join } from 'node:path'
import { createComplaint } from '../lib/cli/terminal.ts'
import { withoutCredentials } from '../lib/telemetry/otel-environment.ts'
import { hasRoom } from './quarantine.ts'
import type { Refusal, Target } from './targets/contract.ts'
import { createFileTarget } from './targets/file.ts'

/** At most 4 files of this size are kept for each target: the newest refused lines. */
const MAX_FILE_BYTES = 16 * 2 ** 20
const KEPT_FILES = 3

/** The file with the lines that a target refused for good. Rotated files have a number after this name. */
export const deadLetterFile = (logDirectory: string, target: string): string =>
  join(logDirectory, `rejected-${target}.ndjson`)

/**
 * Keeps the lines that a target refused for good, so that they neither get lost nor hold up the lines behind them. They
 * are complete: a transport that gets this file as a pipe delivers them. The file is created for the first line.
 */
export class DeadLetters {
  readonly #path: string
  readonly #target: string
  readonly #complain = createComplaint()
  #file: Target | undefined

  constructor(logDirectory: string, target: string) {
    this.#path = deadLetterFile(logDirectory, target)
    this.#target = target
  }

  /** Appends lines to the file. If that fails, the lines are lost, because waiting would hold up the lines behind. */
  async keep({ count, records, why }: Refusal): Promise<void> {
    const refused = `logger-transport: ${this.#target} refused ${count} lines for good: ${withoutCredentials(why)}`
    if (records.length === 0) return this.#complain(`${refused}; it does not say which, so none is kept`)
    if (!hasRoom(dirname(this.#path)))
      return this.#complain(`${refused}; they are lost, because the disk of ${this.#path} is nearly full`)
    try {
      this.#file ??= createFileTarget({ file: this.#path, maxBytes: MAX_FILE_BYTES, kept: KEPT_FILES })
      await this.#file.deliver(records)
      this.#complain(`${refused}; they are kept in ${this.#path}`)
    } catch (error) {
      this.#complain(`${refused}; they are lost, because ${this.#path} fails: ${(error as Error).message}`)
    }
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }
}
