import { mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../cli/user-error.ts'

const WRITABLE_BY_OTHERS = 0o022

/**
 * Makes a directory that only this user may enter. An existing directory is accepted if no other user may write to it:
 * another user could otherwise replace our socket or segments.
 * @throws UserError when the directory cannot be made, or others may write to it; `flag` names the option to change
 */
export function makePrivateDirectory(directory: string, flag: string): void {
  const trouble = tryToMake(directory)
  if (trouble)
    throw new UserError(`cannot use ${directory} (${trouble}); choose another directory with ${flag}`)
}

function tryToMake(directory: string): string | undefined {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
  // Windows has neither owners nor modes of this kind.
  if (process.getuid === undefined) return undefined
  const { mode, uid } = statSync(directory)
  if (mode & WRITABLE_BY_OTHERS) return 'others may write to it'
  return uid === process.getuid() || uid === 0 ? undefined : 'it belongs to another user'
}

/**
 * Makes a directory of its own for temporary files, which only this user may enter.
 * @throws UserError when it cannot be made
 */
export function makeTemporaryDirectory(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot make a directory in ${tmpdir()} (${code}); choose another with TMPDIR`)
  }
}
