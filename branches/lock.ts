import type { Manifest } from './manifest.ts'

/** An entry of `packages` in package-lock.json. */
interface Entry {
  readonly dependencies?: Names
  readonly devDependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly [other: string]: unknown
}

type Names = Readonly<Record<string, string>>

export interface Lock {
  readonly packages: Readonly<Record<string, Entry>>
}

/**
 * The lock file of a smaller manifest: the same versions of the packages that it still needs, on every platform. Who
 * may be paid for a package is left out: the names there are of projects that a step may not use.
 * @throws Error when a package is needed that the lock has not
 */
export function reduceLock<Whole extends Lock>(lock: Whole, manifest: Manifest): Whole {
  const { dependencies, devDependencies } = manifest
  const root = { ...lock.packages[''], dependencies, devDependencies }
  const packages = { ...lock.packages, '': root }
  const reach = (names: Names, withOptional: boolean) => reachable(packages, Object.keys(names), withOptional)
  const optional = Object.keys(root.optionalDependencies ?? {})
  const production = reach(dependencies, false)
  const development = reach(devDependencies, false)
  const whole = reachable(packages, [...Object.keys(dependencies), ...optional], true)
  const all = new Set([...whole, ...reach(devDependencies, true)])
  const flagsOf = (path: string): Partial<Record<'dev' | 'optional' | 'devOptional', true>> => {
    if (path === '' || production.has(path)) return {}
    if (whole.has(path)) return development.has(path) ? { devOptional: true } : { optional: true }
    return development.has(path) ? { dev: true } : { dev: true, optional: true }
  }
  const kept = Object.entries(packages).filter(([path]) => path === '' || all.has(path))
  return {
    ...lock,
    packages: Object.fromEntries(kept.map(([path, entry]) => [path, withFlags(entry, flagsOf(path))])),
  }
}

/** As npm writes it: in the order of names. */
function withFlags(entry: Entry, flags: Readonly<Record<string, unknown>>): Entry {
  const { dev, optional, devOptional, funding, ...rest } = entry
  return { ...rest, ...flags }
}

/** Where the packages lie that these names mean, and what those need. */
function reachable(packages: Lock['packages'], names: readonly string[], withOptional: boolean): Set<string> {
  const reached = new Set(names.flatMap(name => find(packages, '', name, withOptional)))
  for (const path of reached) {
    const entry = packages[path] as Entry
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = entry
    const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta[name]?.optional)
    const needed = [...Object.keys(dependencies), ...peers].filter(name => !(name in optionalDependencies))
    for (const name of needed) for (const at of find(packages, path, name, false)) reached.add(at)
    if (!withOptional) continue
    for (const name of Object.keys(optionalDependencies))
      for (const at of find(packages, path, name, true)) reached.add(at)
  }
  return reached
}

/** Where Node.js finds a package for one that lies at `from`: in its own node_modules, else further up. */
function find(packages: Lock['packages'], from: string, name: string, mayMiss: boolean): string[] {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return [path]
    if (at === '') break
  }
  if (mayMiss) return []
  throw new Error(`package-lock.json has no ${name}, which ${from || 'package.json'} needs`)
}
