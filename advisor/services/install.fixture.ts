import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import type { RealService } from './services.fixture.ts'

/** Each service has a directory here. It is outside of any `node_modules`, so that its own code does not look like a package. */
const CACHE = join(homedir(), '.cache/main-thread-services')

/** verdaccio 6.1 wants a version of this package that npm no longer has. */
const overrides = { 'node-fetch': '2.7.0' }

/**
 * Installs the packages of a service, unless they are there already, and writes its files.
 * @returns its directory
 * @throws UserError when npm fails
 */
export function install(name: string, { packages, files = {} }: RealService): string {
  const directory = join(CACHE, name)
  if (!existsSync(directory)) getPackages(directory, packages)
  cpSync(join(import.meta.dirname, 'samples'), directory, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}

function getPackages(directory: string, packages: readonly string[]): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, overrides }))
  if (packages.length === 0) return
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts']
  try {
    execFileSync('npm', ['install', ...flags, ...packages], { cwd: directory, stdio: 'pipe' })
  } catch (error) {
    rmSync(directory, { recursive: true })
    throw new UserError(`npm could not install ${packages.join(' ')}: ${(error as Error).message}`)
  }
}
