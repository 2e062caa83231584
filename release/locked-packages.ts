import { reach } from '../lib/build/sources/references.ts'

/** An entry of `packages` in package-lock.json. */
export interface Entry {
  /** Set when only development needs the package. */
  readonly dev?: boolean
  readonly dependencies?: Names
  readonly devDependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly [other: string]: unknown
}

type Names = Readonly<Record<string, string>>

export interface Lock {
  /** The entries by the folder of each package: `node_modules/a/node_modules/b`. The project itself is ''. */
  readonly packages: Readonly<Record<string, Entry>>
}

/**
 * Finds packages by name, with everything that they depend on. @returns their folders, as in the lock
 * @param withOptional whether optional dependencies are included, as far as the lock has them
 * @throws Error when a needed package is not in the lock
 */
export function findPackages(
  packages: Lock['packages'],
  names: Iterable<string>,
  withOptional: boolean,
): Set<string> {
  const roots = [...names].flatMap(name => findPackage(packages, '', name, withOptional))
  return reach(roots, path => {
    const { optionalDependencies = {}, ...entry } = packages[path] as Entry
    const needed = requiredBy(entry).filter(name => !(name in optionalDependencies))
    const optional = withOptional ? Object.keys(optionalDependencies) : []
    return [
      ...needed.flatMap(name => findPackage(packages, path, name, false)),
      ...optional.flatMap(name => findPackage(packages, path, name, true)),
    ]
  })
}

function requiredBy({
  dependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}: Entry): string[] {
  const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys(dependencies), ...peers]
}

/**
 * Finds a package as Node.js does for a package in the folder `from`: in its own node_modules, otherwise further up.
 */
function findPackage(packages: Lock['packages'], from: string, name: string, mayMiss: boolean): string[] {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return [path]
    if (at === '') break
  }
  if (mayMiss) return []
  throw new Error(`package-lock.json has no ${name}, which ${from || 'package.json'} needs`)
}
