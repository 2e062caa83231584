import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Here each version that npm gets has a directory of its own. `npm ci` empties it. */
const CACHE = join(ROOT, 'node_modules/.cache/node-versions')

const platform = process.platform === 'win32' ? 'win' : process.platform

/** The npm package that carries Node.js for this machine: one of those that package.json pins. */
const packageName = findPackageName()

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
function installNode(wanted: string): void {
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

/** A version of Node.js, as the results name it. */
export interface NodeVersion {
  /** Without a `v`: `24.21.0`. */
  readonly version: string
  readonly v8: string
}

export interface InstalledNode extends NodeVersion {
  /** The path of its binary. */
  readonly path: string
  /** The reason why this version cannot run the app, or cannot be measured; null when it can. */
  readonly lacks: string | null
}

const BINARY = process.platform === 'win32' ? 'node.exe' : 'node'

/** Prints, as JSON, the version of the Node.js that runs it. It must run on every version. */
const PROBE = `JSON.stringify({
  version: process.versions.node,
  v8: process.versions.v8,
  lacks: [
    process.features.typescript ? [] : 'it does not run TypeScript',
    process.threadCpuUsage ? [] : 'it does not tell the CPU time of a thread (process.threadCpuUsage)',
  ].flat().join(', and ') || null,
})`

/** The Node.js that runs this, and those that npm has got into {@link CACHE}; the latest first. */
function findInstalled(): InstalledNode[] {
  const fromNpm = listDirectory(CACHE).map(name =>
    join(CACHE, name, 'node_modules', packageName, 'bin', BINARY),
  )
  return [process.execPath, ...fromNpm]
    .flatMap(probe)
    .toSorted((one, other) => other.version.localeCompare(one.version, undefined, { numeric: true }))
}

let known: readonly InstalledNode[] | undefined

/**
 * Finds the latest installed version that begins with these numbers.
 * @param wanted `24`, `24.21` or `24.21.0`
 * @throws UserError when there is none; it says which are installed, and how to get this one
 */
export function findNode(wanted: string): InstalledNode {
  known ??= findInstalled()
  const found = known.find(hasVersion(wanted))
  if (found) return found
  const installed = known.map(({ version }) => version).join(', ')
  throw new UserError(`Node.js ${wanted} is not on this machine, which has ${installed}`)
}

/**
 * Finds a version as {@link findNode} does, and gets it from npm first if it is not on this machine.
 * @throws UserError when npm fails
 */
export function getNode(wanted: string): InstalledNode {
  known ??= findInstalled()
  if (!known.some(hasVersion(wanted))) {
    process.stderr.write(`getting Node.js ${wanted} from npm, about 45 MB\n`)
    installNode(wanted)
    known = undefined
  }
  return findNode(wanted)
}

/** Gets a version as {@link getNode} does. @throws UserError also when the version cannot run the app */
export function getNodeOfApp(wanted: string): InstalledNode {
  const node = getNode(wanted)
  if (node.lacks !== null) throw new UserError(`Node.js ${node.version} cannot run the app: ${node.lacks}`)
  return node
}

const hasVersion =
  (wanted: string) =>
  ({ version }: NodeVersion): boolean =>
    version === wanted || version.startsWith(`${wanted}.`)

function probe(path: string): InstalledNode[] {
  try {
    const said = execFileSync(path, ['-p', PROBE], { stdio: ['ignore', 'pipe', 'ignore'], env: {} })
    return [{ ...JSON.parse(String(said)), path }]
  } catch {
    // This is no Node.js for this machine, or a broken one.
    return []
  }
}

function listDirectory(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
