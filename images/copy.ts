import { cpSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Content } from './content.ts'

/** Where a copy of an image's content lies, below its directory: packages change seldom, so they are a layer of their own. */
export const SOURCES = 'sources'
export const PACKAGES = 'packages'

/** Copies what an image holds from the project into a directory. */
export function copyContent(root: string, { files, packages }: Content, to: string): void {
  for (const path of files) copy(join(root, path), join(to, SOURCES, path))
  for (const path of packages) copy(join(root, path), join(to, PACKAGES, path))
}

/** Times are kept, so that a layer with the same files is the same layer. */
const copy = (from: string, to: string) =>
  cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: path => path === from || isKept(path),
  })

/**
 * Whether a file or folder in a package is of use in an image: types and source maps are not. Texts such as README.md
 * are kept, since some packages have their licence there only. A package within a package is copied for itself.
 */
const isKept = (path: string) =>
  basename(path) !== 'node_modules' && !/\.(d\.[cm]?ts|map)$/.test(basename(path))

/** The bytes of all files of packages that an image holds. */
export async function sizeOfPackages(root: string, { packages }: Content): Promise<number> {
  let sizeBytes = 0
  const add = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const at = join(path, entry.name)
      if (!isKept(at)) continue
      if (entry.isDirectory()) await add(at)
      else sizeBytes += (await stat(at)).size
    }
  }
  for (const path of packages) await add(join(root, path))
  return sizeBytes
}
