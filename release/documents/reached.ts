import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { transformSync } from 'esbuild'
import { loadedBy, reach } from '../../lib/build/sources/references.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import { findPackages, type Lock } from '../locked-packages.ts'
import { isPublished, RESULTS, type RunName, runNames, runs } from './runs.ts'

const ROOT = join(import.meta.dirname, '../..')
const CAMPAIGN = join(RESULTS, 'campaign.json')

/** What a campaign remembers of a run that it has measured. */
interface Measured {
  readonly commit: string
  /** Of the code that the measured processes reach, see {@link codeOf}. */
  readonly code: string
}

export const readCampaign = (): Partial<Record<RunName, Measured>> =>
  existsSync(CAMPAIGN) ? JSON.parse(readFileSync(CAMPAIGN, 'utf8')) : {}

export function noteMeasured(name: RunName, commit: string): void {
  const campaign = { ...readCampaign(), [name]: { commit, code: codeOf(name) } }
  saveFile(CAMPAIGN, `${JSON.stringify(campaign, null, 2)}\n`)
}

/** The published runs whose code has changed since they were measured. */
export function oldRuns(): RunName[] {
  const campaign = readCampaign()
  return runNames.filter(name => isPublished(name) && campaign[name]?.code !== codeOf(name))
}

/**
 * The hash of the code that the measured processes of a run reach, and of the versions of the packages. Comments, types, white
 * space, and names that only one file knows are no code.
 */
export function codeOf(name: RunName): string {
  const { entries } = runs[name]
  const key = entries.join()
  const known = hashes.get(key) ?? hashFrom(entries)
  hashes.set(key, known)
  return known
}

const hashes = new Map<string, string>()

function hashFrom(entries: readonly string[]): string {
  const hash = createHash('sha256').update(listPackages())
  for (const path of [...reach(entries, filesOf)].sort())
    hash.update(`${path}\n${significantText(path, readFileSync(join(ROOT, path), 'utf8'))}\n`)
  return hash.digest('hex').slice(0, 12)
}

/** The packages that run in production, with their versions. */
function listPackages(): string {
  const { packages }: Lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const names = Object.keys(packages['']?.dependencies ?? {})
  return [...findPackages(packages, names, false)].map(path => `${path} ${packages[path]?.version}`).join()
}

const isCode = (path: string) => /\.(tsx?|js)$/.test(path)

let listed: ReadonlySet<string> | undefined

/** The files that git has or would add. */
function listFiles(): ReadonlySet<string> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  listed ??= new Set(execFileSync('git', args, { cwd: ROOT }).toString().split('\n').filter(Boolean))
  return listed
}

function filesOf(path: string): Iterable<string> {
  if (!isCode(path)) return []
  const files = listFiles()
  const found = loadedBy(
    path,
    readFileSync(join(ROOT, path), 'utf8'),
    { has: at => files.has(at), below: () => [] },
    true,
  )
  return [...found.files].filter(each => !/\.(test|fixture)\./.test(each))
}

/**
 * The part of a file that a run depends on: a run is old once it changes.
 * @param path decides what kind of file it is
 */
export function significantText(path: string, text: string): string {
  if (basename(path) === 'package.json') return readIdentity(text)
  if (!isCode(path)) return text
  const loader = path.endsWith('x') ? 'tsx' : path.endsWith('js') ? 'js' : 'ts'
  return numberNames(transformSync(text, { loader, format: 'esm', minify: true, jsx: 'preserve' }).code)
}

/** Replaces the short names of a minifier, which depend on the names that were there, by numbers in their order. */
function numberNames(minified: string): string {
  const numbers = new Map<string, number>()
  return minified.replace(/(?<![\w$]|(?<!\.)\.)[a-z_$][\w$]?(?![\w$])/gi, name => {
    const number = numbers.get(name) ?? numbers.size
    numbers.set(name, number)
    return `$${number}`
  })
}

/** The part of a package.json that processes read. Packages count by {@link listPackages}; scripts and tools are no code. */
function readIdentity(text: string): string {
  const { name, version, type } = JSON.parse(text)
  return JSON.stringify({ name, version, type })
}
