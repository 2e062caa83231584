import { dirname, join } from 'node:path/posix'

export interface References {
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** The files among which references are looked up. */
export interface Files {
  has(path: string): boolean
  /** The files in a directory and its subdirectories; empty if there is no such directory. */
  below(directory: string): readonly string[]
}

/**
 * An imported module: `from '…'`, `import '…'`, `import('…')`, `import.meta.resolve('…')`; imports of types are
 * included.
 */
const imported = /(?<![.\w])(?:from|import|import\.meta\.resolve)\s*\(?\s*'([\w@./:-]+)'/g
/** A path relative to the file: `join(import.meta.dirname, '…')`, `new URL('…', import.meta.url)`. */
const located = /import\.meta\.dirname((?:,\s*'[^'\n]*')+)|new URL\('([^'\n]+)', import\.meta\.url\)/g
/** Text that may be a path, either from the root, as in `node stack/main.ts`, or from the file, as esbuild takes it. */
const named = /'([\w@./-]+\.\w+)'/g
/**
 * An import of types only, which does not exist at run time: `import type … from '…'`, `export type … from '…'`,
 * `typeof import('…')`.
 */
const ofTypes =
  /^(?:import|export) type (?:\{[^}]*\}|\* as \w+|\w+) from '[^'\n]+'|\btypeof import\('[^'\n]+'\)/gm
/** A module that is imported only when the line runs: `import('…')`. */
const lazy = /\bimport\('[^'\n]+'\)/g

/**
 * The references of a file, in the forms that this project uses. Names of files that do not exist, such as the results
 * of a build, are ignored.
 */
export function referencesOf(path: string, text: string, files: Files): References {
  const { files: found, packages } = readReferences(path, text, files)
  for (const [, name = ''] of text.matchAll(named)) {
    for (const target of [name, join(dirname(path), name)]) if (files.has(target)) found.add(target)
  }
  found.delete(path)
  return { files: found, packages }
}

/**
 * The files that a process loads or reads when it runs a file: imported modules, and files that are located relative to
 * this one. Types are not loaded, and a path that is only quoted is not followed.
 * @param lazily whether modules are included that the file imports only when it needs them
 */
export function loadedBy(path: string, text: string, files: Files, lazily: boolean): References {
  const run = text.replace(ofTypes, '')
  return readReferences(path, lazily ? run : run.replace(lazy, ''), files)
}

function readReferences(path: string, text: string, { has, below }: Files) {
  const here = dirname(path)
  const files = new Set<string>()
  const packages = new Set<string>()
  const add = (target: string) => {
    if (has(target)) files.add(target)
    else if (!here.startsWith(target) && target !== '.') for (const file of below(target)) files.add(file)
  }
  for (const [, module = ''] of text.matchAll(imported)) {
    if (module.startsWith('.')) add(join(here, module))
    else if (!module.startsWith('node:')) packages.add(packageOf(module))
  }
  for (const [, joined, url] of text.matchAll(located)) {
    const parts = url ? [url] : [...(joined ?? '').matchAll(/'([^']*)'/g)].map(([, part]) => part as string)
    add(join(here, ...parts))
  }
  files.delete(path)
  return { files, packages }
}

/** The package of a module: `@scope/name/file` becomes `@scope/name`. */
const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')

/**
 * Returns everything that can be reached from some items, including these items.
 * @param next returns the items to which one item leads
 */
export function reach<Item>(from: Iterable<Item>, next: (item: Item) => Iterable<Item>): Set<Item> {
  const reached = new Set(from)
  for (const item of reached) for (const found of next(item)) reached.add(found)
  return reached
}
