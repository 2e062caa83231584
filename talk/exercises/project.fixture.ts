import { execFileSync } from 'node:child_process'
import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { Repository } from '../../release/branches/git.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Not in git: what `npm ci` installs and builds. */
const INSTALLED = ['node_modules', 'app/pages/dist']

/**
 * Makes a repository of its own with one commit: the files as they are here, also those that are not committed yet, and what
 * is installed. It is removed when the tests of the file that calls this have run.
 */
export function createProject() {
  const directory = temporaryDirectory({ after })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A B', '-c', 'user.email=a@b', ...args], {
      cwd: directory,
      stdio: 'pipe',
    }).toString()
  git('init', '--quiet', '--initial-branch=main')
  // Git reads the objects of the project's own repository, so that they need not be stored again.
  const objects = execFileSync('git', ['rev-parse', '--path-format=absolute', '--git-path', 'objects'], {
    cwd: ROOT,
  })
  writeFileSync(join(directory, '.git/objects/info/alternates'), objects)
  git('--work-tree', ROOT, 'add', '--all')
  git('commit', '--quiet', '-m', 'main')
  git('reset', '--quiet', '--hard')
  for (const path of INSTALLED) symlinkSync(join(ROOT, path), join(directory, path))
  appendFileSync(join(directory, '.git/info/exclude'), INSTALLED.map(path => `/${path}\n`).join(''))
  return { directory, git, repository: new Repository(directory) }
}
