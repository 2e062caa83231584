import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../lib/cli/user-error.ts'

/**
 * Makes the directory in which the processes of a stack meet.
 * @throws UserError when the directory cannot be made
 */
export async function makeScratch(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'stack-'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot make a directory in ${tmpdir()} (${code}); choose another with TMPDIR`)
  }
}
