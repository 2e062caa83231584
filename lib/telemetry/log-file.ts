import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserError } from '../cli/user-error.ts'

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants

/** The file modes of logs and of their directories: other users of this machine must not read them. */
export const OWNER_ONLY = 0o600
export const OWNER_ONLY_DIRECTORY = 0o700

/**
 * Checks that a log file can be appended to, before a library opens it, and makes it and its directory.
 * @returns the absolute path, because the process may change its directory. A symbolic link is followed, so that a rotation
 * renames the file and not the link.
 * @throws UserError
 */
export function openLogFile(given: string): string {
  const file = followLink(resolve(given))
  try {
    mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_DIRECTORY })
    // A FIFO without a reader is refused. Without the flag this process would wait for a reader.
    const opened = openSync(file, O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0), OWNER_ONLY)
    const isPipe = fstatSync(opened).isFIFO()
    closeSync(opened)
    if (isPipe) throw Object.assign(new Error(), { code: 'it is a pipe' })
    return file
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot write log lines to ${file} (${code}); choose another file with --log-file`)
  }
}

function followLink(file: string): string {
  try {
    return lstatSync(file).isSymbolicLink() ? realpathSync.native(file) : file
  } catch {
    // There is no file yet.
    return file
  }
}
