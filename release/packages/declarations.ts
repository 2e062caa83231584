import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { reach } from '../../lib/build/sources/references.ts'
import { DIST, type Manifest, ROOT, sourcesOf } from './manifest.ts'

/** A module that a declaration names by its path. */
const relativeModule = /(?<=['"])\.{1,2}\/[^'"\n]+\.tsx?(?=['"])/g

/**
 * Writes the types of a package beside its bundles, as the tree of declarations that its exports reach: the package's
 * own in `dist`, where `main-thread/` is no folder of its own, and those of `lib` in `dist/lib`.
 */
export function declare(folder: string, manifest: Manifest): void {
  const sources = sourcesOf(folder, manifest).imported
  if (sources.length === 0) return
  const dist = join(ROOT, folder, DIST)
  const emitted = join(dist, 'emitted')
  emit(sources, emitted)
  const textOf = (source: string) => readFileSync(join(emitted, declarationOf(source)), 'utf8')
  const placeOf = (source: string) => source.replace(new RegExp(`^${folder}/(main-thread/)?`), '')
  const modulesOf = (source: string) =>
    [...textOf(source).matchAll(relativeModule)].map(([module]) => join(dirname(source), module))
  for (const source of reach(sources, modulesOf)) {
    const place = placeOf(source)
    const text = textOf(source).replace(relativeModule, module =>
      moduleName(place, placeOf(join(dirname(source), module))),
    )
    mkdirSync(dirname(join(dist, place)), { recursive: true })
    writeFileSync(join(dist, declarationOf(place)), text)
  }
  rmSync(emitted, { recursive: true, maxRetries: 5 })
}

const declarationOf = (source: string) => source.replace(/\.tsx?$/, '.d.ts')

/** The name by which one declaration imports another. */
function moduleName(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.tsx?$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}

/** Runs the compiler. Its settings are a file in the package, so that it finds the types of Node.js. */
function emit(sources: readonly string[], outDir: string): void {
  const settings = join(outDir, 'tsconfig.json')
  mkdirSync(outDir, { recursive: true })
  writeFileSync(
    settings,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: ROOT, outDir },
      files: sources.map(path => join(ROOT, path)),
      include: [],
    }),
  )
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', settings], { stdio: 'inherit' })
}
