import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'

/** A branch, tag or commit whose app is measured in place of that of this checkout. */
export interface Branch {
  readonly name: string
  readonly commit: string
}

const ROOT = join(import.meta.dirname, '../..')

/** The checked-out commits, a folder for each. They are inside of this checkout, so that Node.js finds its packages. */
const CHECKOUTS = join(ROOT, 'loadtest/results/branches')

/** Tests stay away, so that nobody finds and runs them. */
const NO_TESTS = ['test', 'long', 'fixture'].map(kind => `:(exclude)*.${kind}.ts`)

/** The root of the project at the commit of a branch, once {@link checkOut} has made it. */
export const rootOf = ({ commit }: Branch): string => join(CHECKOUTS, commit)

/**
 * Puts the files of a branch into a folder of their own, unless that is there, and builds the page.
 * @throws UserError when there is no such branch, it has no app, or its page cannot be built
 */
export function checkOut(name: string): Branch {
  const branch = { name, commit: findCommit(name) }
  if (existsSync(rootOf(branch))) return branch
  process.stderr.write(`checking out ${name}\n`)
  mkdirSync(CHECKOUTS, { recursive: true })
  const part = mkdtempSync(join(CHECKOUTS, 'part-'))
  try {
    const files = execFileSync('git', ['archive', '--format=tar', branch.commit, '--', '.', ...NO_TESTS], {
      cwd: ROOT,
      maxBuffer: 2 ** 28,
    })
    execFileSync('tar', ['--extract', '--directory', part], { input: files })
    if (!existsSync(join(part, 'app/main.ts'))) throw new UserError(`the branch ${name} has no app/main.ts`)
    build(part, name)
    renameSync(part, rootOf(branch))
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  return branch
}

function findCommit(name: string): string {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--short=12', '--end-of-options', `${name}^{commit}`]
    return execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    throw new UserError(`there is no branch "${name}" in this repository`)
  }
}

function build(root: string, name: string): void {
  try {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? '')
      .trim()
      .split('\n')[0]
    throw new UserError(`the page of the branch ${name} cannot be built: ${said || (error as Error).message}`)
  }
}
