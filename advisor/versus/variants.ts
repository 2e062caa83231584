import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { UserError } from '../../lib/cli/user-error.ts'

/** One of two things to compare: a command, and where it runs. */
export interface Side {
  /** Names it for people. */
  readonly name: string
  /** A command for the shell. `{port}` in it is the port on which it has to listen. */
  readonly command: string
  readonly directory: string
  /** The directories in which its programs are looked for, as in the variable PATH. */
  readonly path: string
}

/**
 * Makes the same service in another way.
 * @param here the service as it is
 * @param what says which variant: a package, a version of Node.js, or a branch
 * @param directory where to make it; the caller removes this directory, which does not exist yet
 * @throws UserError when it cannot be made
 */
export type MakeVariant = (here: Side, what: string, directory: string, abort: AbortSignal) => Promise<Side>

/** The kinds of variants, by the option that asks for them. */
export const variants = {
  with: withPackage,
  node: withNode,
  branch: withBranch,
} as const satisfies Record<string, MakeVariant>

const LOCK_FILE = 'package-lock.json'
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

/** A copy of the project in which npm has installed a package in another version. */
async function withPackage(here: Side, what: string, directory: string, abort: AbortSignal): Promise<Side> {
  assertNpm(here.directory)
  assertOwnPackages(here.directory)
  await cp(here.directory, directory, { recursive: true, verbatimSymlinks: true, filter: isNoHistory })
  await run('npm', ['install', '--no-save', ...QUIET, what], directory, abort)
  return { ...here, name: what, directory }
}

/** A copy needs no history, which can be large. */
const isNoHistory = (path: string) => !path.endsWith('/.git')

/** The same project with another Node.js first in PATH. The packages of npm that carry it need no install script. */
async function withNode(here: Side, what: string, directory: string, abort: AbortSignal): Promise<Side> {
  const name = `node-${process.platform}-${process.arch}`
  await mkdir(directory)
  const flags = ['--prefix', directory, '--no-save', '--ignore-scripts', ...QUIET]
  await run('npm', ['install', ...flags, `${name}@${what}`], directory, abort)
  const path = [join(directory, 'node_modules', name, 'bin'), here.path].join(delimiter)
  return { ...here, name: `Node.js ${what}`, path }
}

/** The files of a branch, tag or commit, with the packages of its own lock files. */
async function withBranch(here: Side, what: string, directory: string, abort: AbortSignal): Promise<Side> {
  const git = (...args: string[]) => run('git', args, here.directory, abort)
  const root = (await git('rev-parse', '--show-toplevel')).trim()
  const within = (await git('rev-parse', '--show-prefix')).trim()
  await mkdir(directory)
  const archive = `${directory}.tar`
  // An archive, and no work tree, because the repository would go on knowing of that.
  await git('-C', root, 'archive', '--format=tar', '--output', archive, what)
  await run('tar', ['--extract', '--file', archive], directory, abort)
  const own = join(directory, within)
  for (const folder of projectsIn(directory, own)) {
    const how = has(folder, LOCK_FILE) ? ['ci'] : ['install', '--no-package-lock']
    await run('npm', [...how, ...QUIET], folder, abort)
  }
  return { ...here, name: what, directory: own }
}

/** The root of the repository and the folder of the service, as far as npm installs packages in them. */
function projectsIn(root: string, own: string): string[] {
  for (const folder of [root, own]) assertNpm(folder)
  const projects = [...new Set([root, own])].filter(folder => has(folder, 'package.json'))
  // A member of a workspace has no lock file: its packages come with those of the root.
  return projects.filter((folder, index) => index === 0 || has(folder, LOCK_FILE))
}

const INSTEAD =
  'install each side in a directory of its own, and give both commands with --before and --after'

const has = (directory: string, file: string) => existsSync(join(directory, file))

/** @throws UserError when the project has the lock file of another package manager, whose folders npm would mix up */
function assertNpm(directory: string): void {
  const other = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock'].find(file => has(directory, file))
  if (other) throw new UserError(`the project has a ${other}, and only npm is known here: ${INSTEAD}`)
}

/**
 * @throws UserError when npm has installed nothing in the folder, as in a member of a workspace: a copy of it would get
 * other versions of all packages, not of one
 */
function assertOwnPackages(directory: string): void {
  if (has(directory, LOCK_FILE) || has(directory, `node_modules/.${LOCK_FILE}`)) return
  throw new UserError(
    `npm has installed no packages in ${directory}, as in a member of a workspace: run this in the root of the workspace, or ${INSTEAD}`,
  )
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, signal, maxBuffer: 2 ** 26 })).stdout
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const { stderr = '', message } = error as ExecFileException
    const lines = String(stderr).split('\n')
    const said = lines.find(line => /^(npm error (?!code|syscall)|fatal:|error:)/.test(line)) ?? message
    throw new UserError(`${command} failed: ${said.replace(/^(npm error|fatal:|error:) /, '').trim()}`)
  }
}
