import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UserError } from '../../lib/cli/user-error.ts'

const LOCK = join(import.meta.dirname, 'package-lock.json')
/** A copy of the lock file from which the packages were installed. */
const INSTALLED = join(import.meta.dirname, 'node_modules', '.installed.json')

/** Whether the packages of the peers are those of their lock file. */
export const installed = (): boolean =>
  existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(LOCK, 'utf8')

/**
 * Installs the packages of the peers, unless they are there, without their install scripts.
 * @param abort ends npm; what it has left is removed when the peers are installed again
 * @throws UserError in an image, which does not have their names, and when npm fails or is interrupted
 */
export async function install(abort?: AbortSignal): Promise<void> {
  if (!existsSync(LOCK))
    throw new UserError('the peers are measured in a checkout of the project, not in its image')
  if (installed()) return
  process.stderr.write('installing the peers into loadtest/peers/node_modules\n')
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  const ending = { signal: abort, killSignal: 'SIGKILL' } as const
  await promisify(execFile)('npm', words, { cwd: import.meta.dirname, ...ending }).catch(
    ({ stderr = '' }: { readonly stderr?: string }) => {
      if (abort?.aborted) throw new UserError('interrupted before a sample was taken')
      throw new UserError(`npm could not install the peers: ${stderr.match(/npm error (?!code)(.+)/)?.[1]}`)
    },
  )
  writeFileSync(INSTALLED, readFileSync(LOCK))
}
