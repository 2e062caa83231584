import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../../../lib/cli/user-error.ts'
import { makePrivateDirectory } from '../../../lib/os/private-directory.ts'

/** The file with the token of an app: beside its socket, with the port of its admin server in the name. */
export const tokenFileOf = (apmSocket: string, adminUrl: string): string =>
  join(dirname(apmSocket), `fault-token-${new URL(adminUrl).port}`)

/**
 * Writes the token to a file that only this user can read, so that commands of the same user find it. It prints the path
 * and not the token, because output is often kept.
 * @returns a function that removes the file
 * @throws UserError when others may write to the directory, or the file cannot be written
 */
export function publishToken(token: string, apmSocket: string, adminUrl: string): () => void {
  makePrivateDirectory(dirname(apmSocket), '--apm-socket')
  const file = tokenFileOf(apmSocket, adminUrl)
  try {
    // An app that was killed has left its file.
    rmSync(file, { force: true })
    writeFileSync(file, token, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot write ${file} (${code}); choose another directory with --apm-socket`)
  }
  process.stderr.write(`app: fault switches are on; npm run fault lists them. Their token is in ${file}\n`)
  return () => rmSync(file, { force: true })
}

/** @throws UserError when there is no such file, or it is another user's */
export function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(
      code === 'ENOENT'
        ? `no stack with fault switches runs here (there is no ${file}); npm start -- --faults starts one, --admin-port names another`
        : `cannot read ${file} (${code}); give the token of the stack with --fault-token`,
    )
  }
}
