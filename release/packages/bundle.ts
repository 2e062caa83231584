import { cpSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { build, type Plugin } from 'esbuild'
import { loadedBy, reach } from '../../lib/build/sources/references.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { DIST, type Manifest, ROOT, sourcesOf } from './manifest.ts'

/**
 * Bundles the sources of a package with the modules of `lib` that they import. Other packages stay imports, and code that
 * several bundles share is in chunks, so that it is loaded once. Threads and processes that the sources start are bundled
 * too, and other files that they read by their place are copied.
 */
export async function bundle(folder: string, manifest: Manifest): Promise<void> {
  const { imported, started } = sourcesOf(folder, manifest)
  const entries = [...imported, ...started]
  const located = locatedFrom(entries)
  const threads = located.filter(path => path.endsWith('.ts'))
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...new Set([...entries, ...threads])],
    outdir: join(folder, DIST),
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: `node${/\d[\d.]*/.exec(manifest.engines.node)}`,
    logLevel: 'warning',
    plugins: [keepLocated(folder)],
  })
  for (const path of located)
    if (!threads.includes(path))
      cpSync(join(ROOT, path), join(ROOT, placeOf(folder, path)), { recursive: true })
  cpSync(join(ROOT, 'LICENSE'), join(ROOT, folder, DIST, 'LICENSE'))
}

/** @throws UserError when one is absent, such as a page that was not built */
function locatedFrom(entries: readonly string[]): string[] {
  const found = new Set<string>()
  const files = { has: isFile, below: () => [] }
  reach(entries, path => {
    if (!/\.tsx?$/.test(path)) return []
    const text = readSource(path)
    for (const each of locatedBy(path, text)) found.add(each)
    return loadedBy(path, text, files, true).files
  })
  const absent = [...found].filter(path => !statSync(join(ROOT, path), { throwIfNoEntry: false }))
  if (absent.length > 0)
    throw new UserError(`${absent.join(', ')}: there is no such file; run "npm run build"`)
  return [...found]
}

const isFile = (path: string) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile() ?? false

/** A path that a source names by its own place: `join(import.meta.dirname, '…')`, `new URL('…', import.meta.url)`. */
const located = /import\.meta\.dirname, '([^'\n]+)'|new URL\('([^'\n]+)', import\.meta\.url\)/g

/** @returns the paths that a source locates, from the root of the project */
const locatedBy = (path: string, text: string): string[] =>
  [...text.matchAll(located)].map(([, joined, url]) => join(dirname(path), (joined ?? url) as string))

/** Reads a source, by its path from the root of the project. */
const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/**
 * Keeps located paths true in the bundles of a package. All bundles are in the top of `dist`, and what is located has
 * the place there that it has among the sources: `thread.ts` is `dist/thread.js`, and `screen/dist` of another folder is
 * `dist/screen/dist`.
 * @param folder the folder of the package
 */
const keepLocated = (folder: string): Plugin => ({
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
const placeOf = (folder: string, path: string): string => join(folder, DIST, withoutFolder(folder, path))

const withoutFolder = (folder: string, path: string): string =>
  path.replace(new RegExp(`^${folder}(/|$)`), '')
