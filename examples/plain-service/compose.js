import { cpSync, readdirSync, renameSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The variants of the service, each with the directories whose files replace those of `service`. */
export const variants = {
  before: [],
  logging: ['logging'],
  apm: ['apm'],
  workers: ['workers'],
  render: ['render'],
  after: ['logging', 'apm', 'workers', 'render'],
}

/** The directory of a variant, in which `node --import ./telemetry.js server.js` starts it. */
export const directoryOf = name => join(import.meta.dirname, 'build', name)

/** Every file below a directory, by its path there. */
const filesOf = directory =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => [relative(directory, join(parentPath, name)), join(parentPath, name)])

// Several tests compose the variants at the same time, so that each file is replaced at once, and never missing.
for (const [name, changes] of Object.entries(variants)) {
  const sources = ['service', ...changes].flatMap(changed => filesOf(join(import.meta.dirname, changed)))
  for (const [path, source] of new Map(sources)) {
    const file = join(directoryOf(name), path)
    cpSync(source, `${file}.${process.pid}`)
    renameSync(`${file}.${process.pid}`, file)
  }
}
