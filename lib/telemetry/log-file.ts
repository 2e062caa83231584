import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../cli/user-error.ts'

/** The file mode of logs: other users of this machine must not read them. */
export const OWNER_ONLY = 0o600

/**
 * Checks that a log file can be appended to, before a library opens it.
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
