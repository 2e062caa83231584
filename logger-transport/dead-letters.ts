import { dirname, join } from 'node:path'
import { createComplaint } from '../lib/cli/terminal.ts'
import { withoutCredentials } from '../lib/telemetry/otel-environment.ts'
import { hasRoom } from './quarantine.ts'
import type { Refusal } from './targets/contract.ts'
import { createFileTarget } from './targets/file.ts'

/** At most 4 files of this size are kept for each target: the newest refused lines. */
const MAX_FILE_BYTES = 16 * 2 ** 20
const KEPT_FILES = 3

/** The file with the lines that a target refused for good. Rotated files have a number after this name. */
export const deadLetterFile = (logDirectory: string, target: string): string =>
  join(logDirectory, `rejected-${target}.ndjson`)

/**
 * Makes what keeps the lines that a target refused for good, with their resource. If the file cannot be written, they are
 * lost, because waiting would hold up the lines behind.
 */
export function createDeadLetters(logDirectory: string, target: string) {
  const path = deadLetterFile(logDirectory, target)
  const complain = createComplaint()
  return async ({ count, records, why }: Refusal): Promise<void> => {
    const refused = `logger-transport: ${target} refused ${count} lines for good: ${withoutCredentials(why)}`
    if (records.length === 0) return complain(`${refused}; it does not say which, so none is kept`)
    if (!hasRoom(dirname(path)))
      return complain(`${refused}; they are lost, because the disk of ${path} is nearly full`)
    const file = createFileTarget({ file: path, maxBytes: MAX_FILE_BYTES, kept: KEPT_FILES })
    try {
      await file.deliver(records)
      complain(`${refused}; they are kept in ${path}`)
    } catch (error) {
      complain(`${refused}; they are lost, because ${path} fails: ${(error as Error).message}`)
    } finally {
      await file.close()
    }
  }
}
