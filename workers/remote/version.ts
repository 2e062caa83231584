import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { loadedBy, reach } from '../../lib/build/sources/references.ts'

const files = {
  has: (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  below: () => [],
}

/**
 * The version of a file of tasks, such as `tasks-1a2b3c4d`: its name, and a hash of all sources that it loads. Only
 * workers with the same version get the jobs of an app, so no job is run by other code than that of its app.
 */
export function versionOf(tasksFile: string): string {
  const hash = createHash('sha256')
  const read = (path: string) => readFileSync(path, 'utf8')
  for (const path of [...reach([tasksFile], each => loadedBy(each, read(each), files, true).files)].sort())
    hash.update(`${relative(dirname(tasksFile), path)}\n${read(path)}\n`)
  const name = basename(tasksFile, '.ts').replaceAll('.', '-')
  return `${name}-${hash.digest('hex').slice(0, 8)}`
}
