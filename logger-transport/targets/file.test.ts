import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { enrich } from '../record.ts'
import { createFileTarget } from './file.ts'

test('the file target rotates at its size and keeps as many files as it should', async t => {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'logs', 'app.log')
  const lines = Array.from({ length: 12 }, (_, n) => `{"n":${n + 10}}`)
  // Two lines of nine bytes fit into a file. The target is closed and opened once in between, and continues its files.
  for (const half of [lines.slice(0, 6), lines.slice(6)]) {
    const target = createFileTarget({ file, maxBytes: 20, kept: 3 })
    for (const line of half) await target.deliver([enrich(line, { instance: undefined })])
    await target.close()
  }
  const content = (name: string) =>
    readFileSync(join(directory, 'logs', name), 'utf8')
      .trimEnd()
      .split('\n')
  const names = readdirSync(join(directory, 'logs')).sort()
  assert.deepEqual(names, ['app.log', 'app.log.3', 'app.log.4', 'app.log.5'])
  assert.deepEqual(
    names
      .slice(1)
      .flatMap(content)
      .concat(content('app.log'))
      .map(text => JSON.parse(text).n),
    [14, 15, 16, 17, 18, 19, 20, 21],
  )
})

test('the file target opens its path again before the next lines, and keeps what another program has renamed', async t => {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'app.log')
  const target = await createFileTarget({ file, maxBytes: 1000, kept: 1 })
  t.after(() => target.close())
  await target.deliver([enrich('{"n":1}', {})])
  renameSync(file, `${file}.gz`)
  await target.deliver([enrich('{"n":2}', {})])
  assert.deepEqual(
    [`${file}.gz`, file].map(each => readFileSync(each, 'utf8')),
    ['{"n":1}\n', '{"n":2}\n'],
  )
})
