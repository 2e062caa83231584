import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import type { Plugin } from 'esbuild'
import { DIST, ROOT } from './manifest.ts'

/** A path that a source names by its own place: `join(import.meta.dirname, '…')`, `new URL('…', import.meta.url)`. */
const located = /import\.meta\.dirname, '([^'\n]+)'|new URL\('([^'\n]+)', import\.meta\.url\)/g

/** @returns the paths that a source locates, from the root of the project */
export const locatedBy = (path: string, text: string): string[] =>
  [...text.matchAll(located)].map(([, joined, url]) => join(dirname(path), (joined ?? url) as string))

/** Reads a source, by its path from the root of the project. */
export const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/**
 * Keeps located paths true in the bundles of a package. All bundles are in the top of `dist`, and what is located has
 * the place there that it has among the sources: `thread.ts` is `dist/thread.js`, and `screen/dist` of another folder is
 * `dist/screen/dist`.
 * @param folder the folder of the package
 */
export const keepLocated = (folder: string): Plugin => ({
  name: 'keep located',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
      const path = file.slice(ROOT.length + 1)
      const text = readSource(path)
      if (locatedBy(path, text).length === 0) return undefined
      const contents = text.replace(located, (_, joined?: string, url?: string) => {
        const target = join(dirname(path), (joined ?? url) as string)
        const built = `./${withoutFolder(folder, target).replace(/\.ts$/, '.js')}`
        return joined ? `import.meta.dirname, '${built}'` : `new URL('${built}', import.meta.url)`
      })
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    }),
})

/** The path in `dist` of a file that a source finds relative to itself. */
export const placeOf = (folder: string, path: string): string =>
  join(folder, DIST, withoutFolder(folder, path))

const withoutFolder = (folder: string, path: string): string =>
  path.replace(new RegExp(`^${folder}(/|$)`), '')
