import { cpSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { loadedBy, reach } from '../../lib/build/sources/references.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { keepLocated, locatedBy, placeOf, readSource } from './located.ts'
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
