import { dirname, join } from 'node:path/posix'

/** What a source file needs: other files, and packages by name. */
export interface References {
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** A module that is imported: `from '…'`, `import '…'`, `import('…')`, `import.meta.resolve('…')`; types too. */
const imported = /\b(?:from|import|resolve)\s*\(?\s*'([^'\n]+)'/g
/** A path that begins where the file is: `join(import.meta.dirname, '…')`, `new URL('…', import.meta.url)`. */
const located = /import\.meta\.dirname((?:,\s*'[^'\n]*')+)|new URL\('([^'\n]+)', import\.meta\.url\)/g
/** Text that may be a path, from the root as `node stack/main.ts` or from where the file is as esbuild takes it. */
const named = /'([\w@./-]+\.\w+)'/g

/**
 * What a file refers to, in the forms that this project writes. Of what is named and not there, nothing is said: such
 * as what a build makes.
 * @param has whether there is such a file
 * @param below the files of a directory
 */
export function referencesOf(
  path: string,
  text: string,
  { has, below }: { has(path: string): boolean; below(directory: string): readonly string[] },
): References {
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
  for (const [, name = ''] of text.matchAll(named)) {
    for (const target of [name, join(here, name)]) if (has(target)) files.add(target)
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
