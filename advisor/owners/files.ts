import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Owner } from './owner.ts'

/** The files of a service. Finds whose file a path is. */
export class Files {
  /** The working directory of the service. */
  readonly #directory: string
  readonly #root: string
  readonly #packages = new Map<string, Folder | undefined>()

  /** @param root the folder here that is `/` for the service */
  constructor(directory: string, root = '') {
    this.#directory = directory
    this.#root = root
  }

  /** The text of a file; undefined if it cannot be read here. */
  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.#root, path), 'utf8')
    } catch {
      return undefined
    }
  }

  ownerOf(path: string): Owner {
    const name = packageIn(path)
    return name ? { kind: 'package', name } : this.#ownOrWorkspace(path)
  }

  /** The path of a file from the folder of the service's package, also of a file in a member of its workspace. */
  pathOf(path: string): string {
    const { nearest, outer } = this.#packagesOf(path)
    return relative((outer ?? nearest)?.path ?? this.#directory, path).replaceAll('\\', '/')
  }

  /** The folder of the package that a file is in. */
  folderOf(path: string): string {
    return this.#packageAbove(dirname(path))?.path ?? this.#directory
  }

  #ownOrWorkspace(path: string): Owner {
    const { nearest, outer } = this.#packagesOf(path)
    if (nearest?.name && outer) return { kind: 'workspace', name: nearest.name }
    const own = this.pathOf(path)
    return { kind: 'own', name: ownFolder(own), path: own }
  }

  /** A package inside of another package is a member of a workspace, except for the one that runs and one without a name. */
  #packagesOf(path: string) {
    const nearest = this.#packageAbove(dirname(path))
    const isMember = nearest?.name !== undefined && nearest.path !== this.#directory
    return { nearest, outer: isMember ? this.#packageAbove(dirname(nearest.path)) : undefined }
  }

  #packageAbove(folder: string): Folder | undefined {
    if (this.#packages.has(folder)) return this.#packages.get(folder)
    const found =
      this.#readPackage(folder) ??
      (dirname(folder) === folder ? undefined : this.#packageAbove(dirname(folder)))
    this.#packages.set(folder, found)
    return found
  }

  #readPackage(folder: string): Folder | undefined {
    const text = this.read(join(folder, 'package.json'))
    if (text === undefined) return undefined
    try {
      const { name } = JSON.parse(text)
      return { path: folder, name: typeof name === 'string' ? name : undefined }
    } catch {
      return { path: folder, name: undefined }
    }
  }
}

interface Folder {
  readonly path: string
  readonly name: string | undefined
}

/**
 * The package in a path: the last `node_modules/` segment, so that the layouts of pnpm (`.pnpm/a@1/node_modules/a`) and
 * Yarn (`.yarn/cache/a-npm-1.zip/node_modules/a`) give the same name.
 */
export function packageIn(path: string): string | undefined {
  const segments = path.replaceAll('\\', '/').split('/node_modules/')
  if (segments.length === 1) return undefined
  const [scope = '', name = ''] = (segments.at(-1) as string).split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

/** The first two folders of a path, or the name of a file that is in no folder: `src/routes`, `server.js`. */
function ownFolder(path: string): string {
  const parts = path.split('/').filter(part => part !== '..')
  const folders = parts.slice(0, -1)
  return folders.length === 0 ? (parts.at(-1) as string) : folders.slice(0, 2).join('/')
}
