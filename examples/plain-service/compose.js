import { cpSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

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

/** The modules below a directory, as pairs of the path there and the whole path. */
const modulesOf = directory =>
  readdirSync(directory, { recursive: true })
    .filter(path => path.endsWith('.js'))
    .map(path => [path, join(directory, path)])

// Two processes may compose the variants at the same time, so a module is replaced at once and is never missing.
for (const [name, changes] of Object.entries(variants)) {
  const sources = ['service', ...changes].flatMap(changed => modulesOf(join(import.meta.dirname, changed)))
  for (const [path, source] of new Map(sources)) {
    const file = join(directoryOf(name), path)
    cpSync(source, `${file}.${process.pid}`)
    renameSync(`${file}.${process.pid}`, file)
  }
}
