import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePrivateDirectory } from '../../../lib/os/private-directory.ts'

/**
 * The secret of the fault switches of this user's apps, from a file that only this user can read. The first process that needs it
 * makes it.
 * @throws UserError when others may write to its directory
 */
export function readFaultToken(): string {
  const directory = join(tmpdir(), `dmt-faults-${process.getuid?.() ?? 'of-user'}`)
  makePrivateDirectory(directory, 'TMPDIR')
  const file = join(directory, 'token')
  if (!existsSync(file)) {
    const draft = join(directory, randomBytes(8).toString('hex'))
    writeFileSync(draft, randomBytes(16).toString('hex'), { mode: 0o600 })
    try {
      linkSync(draft, file)
    } catch {
      // Another process was faster. A link, unlike a file that is being written, is there with all of its content.
    }
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

/** The headers with which an app takes a request for a fault. */
export const faultHeaders = () => ({ authorization: `Bearer ${readFaultToken()}` })
