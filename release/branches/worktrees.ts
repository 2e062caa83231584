import { existsSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import type { Repository } from './git.ts'
import { runIn } from './run-in.ts'
import type { Branch } from './update.ts'

/**
 * Puts each branch into a folder of its own below `directory`, ready to start: a speaker then changes the step by
 * changing the folder. The packages lie beside the folders, where Node.js and npm find them, so nothing is installed.
 * @param packages the `node_modules` of this checkout
 * @throws UserError when a folder is in the way
 */
export async function placeWorktrees(
  repository: Repository,
  branches: readonly Branch[],
  directory: string,
  packages: string,
): Promise<void> {
  mkdirSync(directory, { recursive: true })
  linkPackages(join(directory, 'node_modules'), packages)
  for (const { name, commit } of branches) {
    const folder = resolve(directory, name)
    // Not the branch itself is checked out but its commit, so that the branch can be made anew.
    if (existsSync(folder)) repository.run(['-C', folder, 'checkout', '--quiet', '--detach', commit])
    else repository.run(['worktree', 'add', '--quiet', '--detach', folder, commit])
    await runIn(folder, 'npm', ['run', '--silent', 'build'])
    process.stderr.write(`${folder}: npm start\n`)
  }
}

function linkPackages(link: string, packages: string): void {
  if (!existsSync(packages)) throw new UserError('the packages are not installed: run "npm ci" first')
  try {
    symlinkSync(packages, link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !pointsTo(link, packages))
      throw new UserError(`${link} is in the way: give another directory`)
  }
}

function pointsTo(link: string, packages: string): boolean {
  try {
    return readlinkSync(link) === packages
  } catch {
    return false
  }
}
