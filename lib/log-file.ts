import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from './user-error.ts'

/** What a line says is for nobody else of this machine. */
export const OWNER_ONLY = 0o600

/**
 * Makes sure, before a library takes it over, that a log file can be appended to.
 * @throws UserError
 */
export function claimLogFile(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true })
    closeSync(openSync(file, 'a', OWNER_ONLY))
    return file
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot write log lines to ${file} (${code}); choose another file with --log-file`)
  }
}
