import { closeSync, constants, fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../cli/user-error.ts'
import { ownPlace } from '../os/own-place.ts'

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants

/** The file mode of logs: other users of this machine must not read them. */
export const OWNER_ONLY = 0o600

/**
 * Checks that a log file can be appended to, before a library opens it, and becomes its owner. Something like /dev/null
 * has no owner.
 * @param name the name of this process, for the error of another process
 * @throws UserError
 */
export async function claimLogFile(file: string, name: string): Promise<string> {
  if (tryToOpen(file)) await ownPlace({ path: file, name, flag: '--log-file' })
  return file
}

/** @returns whether it is a regular file */
function tryToOpen(file: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true })
    // A FIFO without a reader is refused. Without the flag this process would wait for a reader.
    const opened = openSync(file, O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0), OWNER_ONLY)
    const found = fstatSync(opened)
    closeSync(opened)
    if (found.isFIFO()) throw Object.assign(new Error(), { code: 'it is a pipe' })
    return found.isFile()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot write log lines to ${file} (${code}); choose another file with --log-file`)
  }
}
