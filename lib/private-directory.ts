import { mkdirSync, statSync } from 'node:fs'
import { UserError } from './user-error.ts'

const WRITABLE_BY_OTHERS = 0o022

/**
 * Makes a directory that only this user may enter. One that is there already is taken when nobody else may write to it:
 * whoever may could put a socket or a segment of their own in the place of ours.
 * @throws UserError when it cannot be made, or others may write to it; `flag` names the option to change
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
  // Windows has neither.
  if (process.getuid === undefined) return undefined
  const { mode, uid } = statSync(directory)
  if (mode & WRITABLE_BY_OTHERS) return 'others may write to it'
  return uid === process.getuid() || uid === 0 ? undefined : 'it belongs to another user'
}
