import { type Entry, findPackages, type Lock } from '../locked-packages.ts'
import type { Manifest } from './manifest.ts'

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
