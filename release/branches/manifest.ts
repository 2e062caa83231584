import { type Entry, findPackages, type Lock } from '../locked-packages.ts'
import { readJson, type Tree } from './git.ts'

/** The parts of package.json that a branch changes. */
export interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** Folders with a package.json of their own, whose packages npm installs too. */
  readonly workspaces?: readonly string[]
  /** The versions of packages, whatever the packages that need them say. */
  readonly overrides?: Readonly<Record<string, string>>
}

/**
 * The manifest of a project without workspaces that installs the same packages. A branch is such a project: it runs the
 * sources of the offloads and packs none of them.
 * @param read reads the package.json of a workspace
 */
export function joinWorkspaces<Whole extends Manifest>(
  { workspaces = [], ...manifest }: Whole,
  read: (folder: string) => Partial<Manifest>,
) {
  const all: Partial<Manifest>[] = [...workspaces.map(read), manifest]
  const join = (kind: 'dependencies' | 'devDependencies') =>
    Object.fromEntries(all.flatMap(each => Object.entries(each[kind] ?? {})).sort(byName))
  const dependencies = join('dependencies')
  const devDependencies = select(join('devDependencies'), name => !(name in dependencies))
  return { ...manifest, dependencies, devDependencies }
}

/** The manifest of the whole project, as a project without workspaces. */
export const manifestOf = (whole: Tree) =>
  joinWorkspaces(readJson<Manifest>(whole, 'package.json'), folder =>
    readJson<Manifest>(whole, `${folder}/package.json`),
  )

/** The packages that the scripts of a branch run. */
const tools = ['@biomejs/biome', 'typescript', '@types/node']

/**
 * The manifest with only the packages that its scripts and the sources use.
 * @param imported the packages that the sources import
 */
export function reduceManifest<Whole extends Manifest>(
  manifest: Whole,
  imported: ReadonlySet<string>,
): Whole {
  const used = new Set([...imported, ...tools])
  const isUsed = (name: string) => used.has(name) || used.has(typed(name))
  return {
    ...manifest,
    dependencies: select(manifest.dependencies, isUsed),
    devDependencies: select(manifest.devDependencies, isUsed),
  }
}

/** The manifest with only the overrides of packages that the lock file has. */
export const reduceOverrides = <Whole extends Manifest>(manifest: Whole, { packages }: Lock): Whole => ({
  ...manifest,
  overrides: select(manifest.overrides ?? {}, name => `node_modules/${name}` in packages),
})

/**
 * The lock file of a smaller manifest: the same versions of the packages that it still needs, on every platform, with the flags that
 * they have in the whole one. Funding entries are left out, because they name projects that a step may not use.
 * @throws Error when a needed package is not in the lock
 */
export function reduceLock<Whole extends Lock>(lock: Whole, manifest: Manifest): Whole {
  const { dependencies, devDependencies } = manifest
  const { workspaces, ...whole } = lock.packages[''] as Entry
  const packages = { ...lock.packages, '': { ...whole, dependencies, devDependencies } }
  const names = Object.keys({ ...dependencies, ...whole.optionalDependencies, ...devDependencies })
  const needed = findPackages(packages, names, true)
  const kept = Object.entries<Entry>(packages).filter(([path]) => path === '' || needed.has(path))
  return {
    ...lock,
    packages: Object.fromEntries(kept.map(([path, { funding, ...entry }]) => [path, entry])),
  }
}

/** The package that a package of types describes: `react` for `@types/react`. */
const typed = (name: string) => name.replace(/^@types\//, '')

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) =>
  a < b ? -1 : Number(a > b)

const select = (table: Readonly<Record<string, string>>, isWanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(table).filter(([name]) => isWanted(name)))
