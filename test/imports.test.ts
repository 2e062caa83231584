import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

/** The folders in the order of their imports: a folder may import those before it. All folders that are not listed come last. */
const order = [
  ['lib'],
  ['screen'],
  ['orders', 'workers', 'render', 'logger-transport', 'apm-agent'],
  ['app'],
  ['stack'],
  ['loadtest'],
]

const rankOf = (folder: string): number => {
  const rank = order.findIndex(folders => folders.includes(folder))
  return rank < 0 ? order.length : rank
}

/** Helpers that the tests of all folders share. */
const SHARED = 'test'

/** `npm run check` holds the direction of imports for all other files (`overrides` in biome.json). */
describe('a test', () => {
  test('imports only folders that its own folder may import, and helpers of test/', () => {
    const files = globSync('**/*.{test,long,fixture}.{ts,tsx}', { cwd: ROOT, exclude: ['**/node_modules'] })
    assert.ok(files.length > 100)
    assert.deepEqual(files.flatMap(upwardImportsOf), [])
  })
})

function upwardImportsOf(file: string): string[] {
  const folderOf = (path: string) => path.split('/')[0] as string
  const [own, rank] = [folderOf(file), rankOf(folderOf(file))]
  const imported = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
  return imported
    .map(([, path]) => join(dirname(file), path as string))
    .filter(path => {
      const folder = folderOf(path)
      return folder !== own && folder !== SHARED && rank < order.length && rankOf(folder) >= rank
    })
    .map(path => `${file} imports ${path}`)
}
