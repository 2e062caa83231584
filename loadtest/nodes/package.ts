import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Here each version that npm gets has a directory of its own. `npm ci` empties it. */
export const CACHE = join(ROOT, 'node_modules/.cache/node-versions')

const platform = process.platform === 'win32' ? 'win' : process.platform

/** The npm package that carries Node.js for this machine: one of those that package.json pins. */
export const packageName = findPackageName()

function findPackageName(): string {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const suffix = `-${platform}-${process.arch}`
  return Object.keys(optionalDependencies).find(name => name.endsWith(suffix)) ?? `node${suffix}`
}

/**
 * Gets a version of Node.js from npm's registry into {@link CACHE}. Nothing else of this project changes.
 * @param wanted `24`, `24.21` or `24.21.0`; of several the latest
 * @throws UserError when npm fails
 */
export function installNode(wanted: string): void {
  const directory = join(CACHE, wanted)
  mkdirSync(directory, { recursive: true })
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
  const args = ['install', '--prefix', directory, ...flags, `${packageName}@${wanted}`]
  try {
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' })
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    const said = String((error as { stderr?: Buffer }).stderr ?? '').match(/npm error (?!code)(.+)/)?.[1]
    throw new UserError(
      `npm could not get ${packageName}@${wanted} into ${relative('.', directory)}: ${said ?? (error as Error).message}`,
    )
  }
}
