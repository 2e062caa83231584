import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { UserError } from '../../lib/cli/user-error.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { readAnyRun, readResults } from './results-file.ts'

describe('a file of results', () => {
  test('that cannot be written is one line, and nothing of it stays', t => {
    const directory = temporaryDirectory(t)
    writeFileSync(join(directory, 'file'), '')
    assert.throws(() => saveFile(join(directory, 'file', 'one'), 'text'), UserError)
    assert.throws(() => saveFile(directory, 'text'), /cannot write .*\(EISDIR\)/)
    assert.deepEqual(readdirSync(directory), ['file'])
  })

  test('of another kind is named by its command', t => {
    const directory = temporaryDirectory(t)
    const results = { schemaVersion: 1, kind: 'break-even', settings: { command: 'break-even' } }
    saveFile(join(directory, 'results.json'), JSON.stringify(results))
    assert.deepEqual(readAnyRun(directory), results)
    assert.throws(() => readResults(directory), /holds results of the command break-even/)
  })
})
