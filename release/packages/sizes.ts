import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './manifest.ts'
import { neededBy, packAll, readmeOf } from './pack.ts'

/** The place of the sentence in a README. */
const SENTENCE = /(?<=<!-- sizes -->).*(?=<!-- \/sizes -->)/

const kilobytes = (bytes: number) => Math.round(bytes / 1000)
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** Packs all packages, and says in the README of each how large it is, and all that is installed with it. */
export function writeSizes(): void {
  const directory = mkdtempSync(join(tmpdir(), 'sizes-'))
  try {
    for (const { folder, manifest, tarballBytes, unpackedBytes } of packAll(directory)) {
      const needed = neededBy(manifest)
      const installedBytes = needed.reduce((total, path) => total + sizeOf(join(ROOT, path)), unpackedBytes)
      const alone = `The tarball has ${kilobytes(tarballBytes)} kB`
      const sentence =
        needed.length === 0
          ? `${alone} and needs no other package.`
          : `${alone}; installed with the ${needed.length} packages that it needs, it has ${megabytes(installedBytes)} MB.`
      writeFileSync(join(ROOT, folder, 'README.md'), readmeOf(folder).replace(SENTENCE, sentence))
      process.stdout.write(`${manifest.name}: ${sentence}\n`)
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** The size of all files of an installed package, in bytes, without packages inside of it. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files
    .filter(each => each.isFile() && !each.parentPath.slice(folder.length).includes('node_modules'))
    .reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0)
}
