import { dirname, join } from 'node:path/posix'

/** What a source file needs: other files, and packages by name. */
export interface References {
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** The files among which references are looked up. */
export interface Files {
  has(path: string): boolean
  /** The files of a directory and of those in it; none where there is no such directory. */
  below(directory: string): readonly string[]
}

/** A module that is imported: `from '…'`, `import '…'`, `import('…')`, `import.meta.resolve('…')`; types too. */
const imported = /\b(?:from|import|import\.meta\.resolve)\s*\(?\s*'([\w@./:-]+)'/g
/** A path that begins where the file is: `join(import.meta.dirname, '…')`, `new URL('…', import.meta.url)`. */
const located = /import\.meta\.dirname((?:,\s*'[^'\n]*')+)|new URL\('([^'\n]+)', import\.meta\.url\)/g
/** Text that may be a path, from the root as `node stack/main.ts` or from where the file is as esbuild takes it. */
const named = /'([\w@./-]+\.\w+)'/g
/** An import that is gone when the file runs: `import type … from '…'`, `export type … from '…'`, `typeof import('…')`. */
const ofTypes =
  /^(?:import|export) type (?:\{[^}]*\}|\* as \w+|\w+) from '[^'\n]+'|\btypeof import\('[^'\n]+'\)/gm
/** A module that is imported only when the line runs: `import('…')`. */
const lazy = /\bimport\('[^'\n]+'\)/g

/**
 * What a file refers to, in the forms that this project writes. Of what is named and not there, nothing is said: such
 * as what a build makes.
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
 * What a process loads or reads because it runs a file: modules that are imported, and files that are located by where
 * this one is. Types are not loaded, and a path in quotes alone is not followed.
 * @param lazily whether modules count that the file imports only when it needs them
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

/** `@scope/name/file` as `@scope/name`. */
const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')
