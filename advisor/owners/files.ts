import { readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Owner } from './owner.ts'

/** A larger file is not read: no source or source map that people write or make is. */
const MOST_BYTES = 2 ** 28

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

  /** The text of a file; undefined if it cannot be read here. A profile may name anything, such as a device. */
  read(path: string): string | undefined {
    try {
      const file = join(this.#root, join('/', path))
      const found = statSync(file)
      return found.isFile() && found.size <= MOST_BYTES ? readFileSync(file, 'utf8') : undefined
    } catch {
      return undefined
    }
  }

  ownerOf(path: string): Owner {
    const name = packageIn(path)
    if (!name) return this.#ownOrWorkspace(path)
    const slashed = path.replaceAll('\\', '/')
    return { kind: 'package', name, file: slashed.slice(slashed.lastIndexOf(`/${name}/`) + 1) }
  }

  /** The owner of a file by its path from the folder of the project. */
  ownerInProject(path: string): Owner {
    return this.ownerOf(resolve(this.#directory, path))
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
    if (!this.#packages.has(folder)) {
      const above = dirname(folder)
      const outer = () => (above === folder ? undefined : this.#packageAbove(above))
      this.#packages.set(folder, this.#readPackage(folder) ?? outer())
    }
    return this.#packages.get(folder)
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
  const slashed = path.replaceAll('\\', '/')
  // Since version 7, Prisma puts its client into a folder of the service.
  if (/\/generated\/prisma\//.test(slashed)) return '.prisma'
  const segments = slashed.split('/node_modules/')
  if (segments.length === 1) return undefined
  const [scope = '', name = ''] = (segments.at(-1) as string).split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

/** The first two folders of a path, or the name of a file that is in no folder: `src/routes`, `server.js`. */
function ownFolder(path: string): string {
  const parts = path.split('/').filter(part => part !== '..')
  const folders = parts.slice(0, -1)
  return folders.length === 0 ? parts.at(-1) || '.' : folders.slice(0, 2).join('/')
}
