import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Repository } from '../../release/branches/git.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Not in git: what `npm ci` installs and builds. */
const INSTALLED = ['node_modules', 'app/pages/dist']

/**
 * Makes a repository of its own with one commit: the files as they are here, also those that are not committed yet, and what
 * is installed.
 */
export function createProject() {
  const directory = mkdtempSync(join(tmpdir(), 'exercises-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A B', '-c', 'user.email=a@b', ...args], {
      cwd: directory,
      stdio: 'pipe',
    }).toString()
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  for (const file of files.toString().split('\0').filter(Boolean))
    cpSync(join(ROOT, file), join(directory, file), { force: false })
  git('init', '--quiet', '--initial-branch=main')
  for (const path of INSTALLED) symlinkSync(join(ROOT, path), join(directory, path))
  appendFileSync(join(directory, '.git/info/exclude'), INSTALLED.map(path => `/${path}\n`).join(''))
  git('add', '--all')
  git('commit', '--quiet', '-m', 'main')
  return {
    directory,
    git,
    repository: new Repository(directory),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
