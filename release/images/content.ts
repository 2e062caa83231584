import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { type Files, loadedBy, type References, reach } from '../../lib/build/sources/references.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { findPackages, type Lock } from '../locked-packages.ts'
import type { Image } from './table.ts'

/** The files and packages of an image. */
export interface Content {
  /** Paths of sources, and of files that sources read, from the root of the project. */
  readonly files: readonly string[]
  /** Names of the packages that the sources import. */
  readonly imported: readonly string[]
  /** Folders of these packages and of all packages that they depend on, as package-lock.json names them. */
  readonly packages: readonly string[]
}

/** Node.js reads in this file that the sources are ES modules. */
const MANIFEST = 'package.json'

/**
 * Derives the content of an image from the imports of its entries.
 * @param root the directory of the project, where `npm run build` was run
 * @throws UserError when a file of the image's description is not reached, or a package of an image of
 * the stack is for development only
 */
export function contentOf(root: string, image: Image): Content {
  const { files, imported } = sourcesOf(root, image)
  return { files, imported, packages: packagesFor(root, imported, image.isForDevelopment ?? false) }
}

/** The files that the entries of an image load or read, and the packages that these import. */
function sourcesOf(root: string, { entries, loadsNoneOf = [] }: Image): Pick<Content, 'files' | 'imported'> {
  const files = filesIn(root)
  const missing = entries.filter(path => !files.has(path))
  if (missing.length > 0) throw new UserError(`${missing.join(', ')}: there is no such file`)
  const known = new Map<string, References>()
  const load = (path: string): References => {
    const found = known.get(path) ?? read(root, path, files, !loadsNoneOf.includes(path))
    known.set(path, found)
    return found
  }
  const reached = reach([MANIFEST, ...entries], path => load(path).files)
  const unused = loadsNoneOf.filter(path => !reached.has(path))
  if (unused.length > 0) throw new UserError(`${unused.join(', ')}: ${entries.join(', ')} do not import it`)
  const imported = new Set([...reached].flatMap(path => [...load(path).packages]))
  return { files: [...reached].sort(), imported: [...imported].sort() }
}

function read(root: string, path: string, files: Files, lazily: boolean): References {
  if (!/\.(tsx?|js)$/.test(path)) return { files: new Set(), packages: new Set() }
  return loadedBy(path, readFileSync(join(root, path), 'utf8'), files, lazily)
}

function packagesFor(root: string, names: Iterable<string>, mayBeForDevelopment: boolean): string[] {
  const { packages }: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = [...findPackages(packages, names, false)].sort()
  const development = found.filter(path => packages[path]?.dev)
  if (development.length > 0 && !mayBeForDevelopment)
    throw new UserError(`${development.join(', ')}: an image needs it, so it belongs to "dependencies"`)
  return found
}

/** What the load test has written here, whole checkouts of branches included: no image has it, as .dockerignore says. */
const RESULTS = join('loadtest', 'results', '/')

/** The files of a directory on this machine. */
const filesIn = (root: string): Files => ({
  has: path => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false,
  below(directory) {
    const at = join(root, directory)
    if (!statSync(at, { throwIfNoEntry: false })?.isDirectory()) return []
    const entries = readdirSync(at, { recursive: true, withFileTypes: true })
    return entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      .filter(path => !path.startsWith(RESULTS))
  },
})

/** The two folders of a copied image. Packages change seldom, so they are a separate layer. */
const SOURCES = 'sources'
const PACKAGES = 'packages'

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
