import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findPackages, type Lock } from '../locked-packages.ts'
import { type Manifest, manifestOf, packageFolders, ROOT } from './manifest.ts'

/** A packed package. */
export interface Packed {
  readonly folder: string
  readonly manifest: Manifest
  /** The path of the tarball. */
  readonly tarball: string
  readonly tarballBytes: number
  readonly unpackedBytes: number
  /** The paths of the files in the tarball. */
  readonly files: readonly string[]
}

interface Entry {
  readonly filename: string
  readonly name: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** How long a process waits until others have packed. */
const WAIT_MS = 300_000

/** Builds and packs all packages, as `npm pack --workspaces` does, into a directory. */
export function packAll(directory: string): Packed[] {
  const args = ['pack', '--workspaces', '--json', '--silent', '--pack-destination', directory]
  const output = oneAtATime(() =>
    execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const entries: Entry[] = Object.values(JSON.parse(output))
  return packageFolders.map(folder => {
    const manifest = manifestOf(folder)
    const { filename, size, unpackedSize, files } = entries.find(
      ({ name }) => name === manifest.name,
    ) as Entry
    return {
      folder,
      manifest,
      tarball: join(directory, filename),
      tarballBytes: size,
      unpackedBytes: unpackedSize,
      files: files.map(({ path }) => path),
    }
  })
}

/**
 * A build replaces the files that another process packs. So processes take turns: one has a lock of SQLite, which the
 * system frees even if the process is killed.
 */
function oneAtATime<Result>(run: () => Result): Result {
  using lock = new DatabaseSync(join(ROOT, 'node_modules/.packing.lock'), { timeout: WAIT_MS })
  lock.exec('BEGIN EXCLUSIVE')
  return run()
}

export const readmeOf = (folder: string): string => readFileSync(join(ROOT, folder, 'README.md'), 'utf8')

/** The folders of all packages that are installed with a package, as package-lock.json names them. */
export function neededBy({ dependencies = {} }: Manifest): string[] {
  const lock: Lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return [...findPackages(lock.packages, Object.keys(dependencies), false)]
}
