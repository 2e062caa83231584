import { cpSync, rmSync } from 'node:fs'
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

for (const [name, changes] of Object.entries(variants)) {
  rmSync(directoryOf(name), { recursive: true, force: true })
  for (const changed of ['service', ...changes])
    cpSync(join(import.meta.dirname, changed), directoryOf(name), { recursive: true })
}
