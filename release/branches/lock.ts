import { type Entry, findPackages, type Lock, type Names } from '../locked-packages.ts'
import type { Manifest } from './manifest.ts'

/**
 * The lock file of a smaller manifest: the same versions of the packages that it still needs, on every platform.
 * Funding entries are left out, because they name projects that a step may not use.
 * @throws Error when a needed package is not in the lock
 */
export function reduceLock<Whole extends Lock>(lock: Whole, manifest: Manifest): Whole {
  const { dependencies, devDependencies } = manifest
  const { workspaces, ...whole } = lock.packages[''] as Entry
  const root = { ...whole, dependencies, devDependencies }
  const packages = { ...lock.packages, '': root }
  const reach = (names: Names, withOptional: boolean) =>
    findPackages(packages, Object.keys(names), withOptional)
  const optional = Object.keys(root.optionalDependencies ?? {})
  const production = reach(dependencies, false)
  const development = reach(devDependencies, false)
  const installed = findPackages(packages, [...Object.keys(dependencies), ...optional], true)
  const all = new Set([...installed, ...reach(devDependencies, true)])
  const flagsOf = (path: string): Partial<Record<'dev' | 'optional' | 'devOptional', true>> => {
    if (path === '' || production.has(path)) return {}
    if (installed.has(path)) return development.has(path) ? { devOptional: true } : { optional: true }
    return development.has(path) ? { dev: true } : { dev: true, optional: true }
  }
  const kept = Object.entries(packages).filter(([path]) => path === '' || all.has(path))
  return {
    ...lock,
    packages: Object.fromEntries(kept.map(([path, entry]) => [path, withFlags(entry, flagsOf(path))])),
  }
}

/** Adds flags to an entry, which keeps its keys in the order of npm. */
function withFlags(entry: Entry, flags: Readonly<Record<string, unknown>>): Entry {
  const { dev, optional, devOptional, funding, ...rest } = entry
  return { ...rest, ...flags }
}
