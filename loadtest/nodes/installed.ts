import { execFileSync } from 'node:child_process'
import { readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import { CACHE, installNode, packageName } from './package.ts'

/** A version of Node.js, as the results name it. */
export interface NodeVersion {
  /** Without a `v`: `24.21.0`. */
  readonly version: string
  readonly v8: string
  /** The reason why this version cannot run the app, or cannot be measured; null when it can. */
  readonly lacks: string | null
}

export interface InstalledNode extends NodeVersion {
  /** The path of its binary. */
  readonly path: string
}

const BINARY = process.platform === 'win32' ? 'node.exe' : 'node'

/** The environment variables that name the directories of version managers, and their defaults. */
const { env } = process
const home = homedir()
const managers = [
  { directory: join(env.NVM_DIR ?? join(home, '.nvm'), 'versions/node'), binary: ['bin', BINARY] },
  {
    directory: join(env.FNM_DIR ?? join(home, '.local/share/fnm'), 'node-versions'),
    binary: ['installation/bin', BINARY],
  },
  { directory: join(env.VOLTA_HOME ?? join(home, '.volta'), 'tools/image/node'), binary: ['bin', BINARY] },
  { directory: CACHE, binary: ['node_modules', packageName, 'bin', BINARY] },
] as const

/** Prints, as JSON, the version of the Node.js that runs it. It must run on every version. */
const PROBE = `JSON.stringify({
  version: process.versions.node,
  v8: process.versions.v8,
  lacks: [
    process.features.typescript ? [] : 'it does not run TypeScript',
    process.threadCpuUsage ? [] : 'it does not tell the CPU time of a thread (process.threadCpuUsage)',
  ].flat().join(', and ') || null,
})`

/** Every Node.js on this machine that can be found, the latest first: in PATH, of version managers, and in {@link CACHE}. */
function findInstalled(): InstalledNode[] {
  const inPath = (env.PATH ?? '').split(delimiter).map(directory => join(directory, BINARY))
  const managed = managers.flatMap(({ directory, binary }) =>
    listDirectory(directory).map(name => join(directory, name, ...binary)),
  )
  const paths = new Set([process.execPath, ...inPath, ...managed].flatMap(resolveLink))
  const found = [...paths].flatMap(probe)
  const byVersion = new Map(found.toReversed().map(node => [node.version, node]))
  return [...byVersion.values()].toSorted((one, other) => compareVersions(other.version, one.version))
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

function resolveLink(path: string): string[] {
  try {
    return [realpathSync(path)]
  } catch {
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

/** Orders versions by their numbers. */
function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map(version => version.split('.').map(Number)) as [number[], number[]]
  const index = first.findIndex((number, index) => number !== second[index])
  return index < 0 ? 0 : (first[index] as number) - (second[index] as number)
}
