import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Content } from './content.ts'

/** The two folders of a copied image. Packages change seldom, so they are a separate layer. */
export const SOURCES = 'sources'
export const PACKAGES = 'packages'

/** Copies the content of an image from the project into a directory. */
export function copyContent(root: string, { files, packages }: Content, to: string): void {
  for (const path of files) copy(join(root, path), join(to, SOURCES, path))
  for (const path of packages) copy(join(root, path), join(to, PACKAGES, path))
}

/** Copies keep their times, so that a layer with the same files stays the same layer. */
const copy = (from: string, to: string) =>
  cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: path => path === from || isKept(path),
  })

/**
 * Whether an image needs a file or folder of a package; types and source maps are left out. Texts such as README.md are
 * kept, because some packages have their licence only there. A package inside another package is copied separately.
 */
export const isKept = (path: string) =>
  basename(path) !== 'node_modules' && !/\.(d\.[cm]?ts|map)$/.test(basename(path))
