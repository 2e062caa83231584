import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Here each version that npm gets has a directory of its own. `npm ci` empties it. */
const CACHE = join(ROOT, 'node_modules/.cache/node-versions')

const platform = process.platform === 'win32' ? 'win' : process.platform

/** The npm package that carries Node.js for this machine: one of those that package.json pins. */
const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const suffix = `-${platform}-${process.arch}`
const packageName = Object.keys(optionalDependencies).find(name => name.endsWith(suffix)) ?? `node${suffix}`

/** Gets a version of Node.js from npm's registry into {@link CACHE}. @throws UserError when npm fails */
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

export interface NodeVersion {
  /** Without a `v`: `24.21.0`. */
  readonly version: string
}

export interface InstalledNode extends NodeVersion {
  readonly path: string
  /** Why this version cannot run the app, or cannot be measured; null when it can. */
  readonly lacks: string | null
}

const BINARY = process.platform === 'win32' ? 'node.exe' : 'node'

/** Prints, as JSON, the version of the Node.js that runs it. It must run on every version. */
const PROBE = `JSON.stringify({
  version: process.versions.node,
  lacks: [
    process.features.typescript ? [] : 'it does not run TypeScript',
    process.threadCpuUsage ? [] : 'it does not tell the CPU time of a thread (process.threadCpuUsage)',
  ].flat().join(', and ') || null,
})`

const known = new Map<string, InstalledNode>()

/**
 * Finds a version: the one that runs this, or one that npm has got, or gets now.
 * @param wanted `24`, `24.21` or `24.21.0`; of several the latest
 * @throws UserError when npm fails
 */
export function getNode(wanted: string): InstalledNode {
  const find = (path: string) => probe(path).find(({ version }) => `${version}.`.startsWith(`${wanted}.`))
  const fromNpm = join(CACHE, wanted, 'node_modules', packageName, 'bin', BINARY)
  let node = known.get(wanted) ?? find(process.execPath) ?? find(fromNpm)
  if (!node) {
    process.stderr.write(`getting Node.js ${wanted} from npm, about 45 MB\n`)
    installNode(wanted)
    node = find(fromNpm)
  }
  if (!node) throw new UserError(`npm has got a Node.js ${wanted} that does not run on this machine`)
  for (const name of [wanted, node.version]) known.set(name, node)
  return node
}

/** Gets a version as {@link getNode} does. @throws UserError also when the version cannot run the app */
export function getNodeOfApp(wanted: string): InstalledNode {
  const node = getNode(wanted)
  if (node.lacks !== null) throw new UserError(`Node.js ${node.version} cannot run the app: ${node.lacks}`)
  return node
}

function probe(path: string): InstalledNode[] {
  try {
    const said = execFileSync(path, ['-p', PROBE], { stdio: ['ignore', 'pipe', 'ignore'], env: {} })
    return [{ ...JSON.parse(String(said)), path }]
  } catch {
    // This is no Node.js for this machine, or a broken one.
    return []
  }
}
