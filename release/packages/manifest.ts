import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
/** The folder of what is built, in the folder of each package. */
export const DIST = 'dist'

/** The parts of the package.json of a package that its build follows. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The folders of all packages, which are the workspaces of the project. */
export const packageFolders: readonly string[] = read('').workspaces

export const manifestOf = (folder: string): Manifest => read(folder)

/** The sources that a package is built from, by their paths from the root of the project. */
export interface Sources {
  /** Modules that a service imports. They have types. */
  readonly imported: readonly string[]
  /** Commands, threads and processes. */
  readonly started: readonly string[]
}

/**
 * The sources that package.json names by what is built from them: `./dist/pino.js` is built from `main-thread/pino.ts`,
 * or from `pino.ts` if it does not run on the main thread of a service.
 */
export function sourcesOf(folder: string, { exports, bin = {} }: Manifest): Sources {
  const builtFrom = (files: Readonly<Record<string, string>>) =>
    Object.values(files).flatMap(file => {
      const [, name] = /^(?:\.\/)?dist\/([\w-]+)\.js$/.exec(file) ?? []
      if (!name) return []
      const onMainThread = `${folder}/main-thread/${name}.ts`
      return [existsSync(join(ROOT, onMainThread)) ? onMainThread : `${folder}/${name}.ts`]
    })
  return { imported: builtFrom(exports), started: builtFrom(bin) }
}

function read(folder: string) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}
