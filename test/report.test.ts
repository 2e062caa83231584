import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runCommand } from './run-command.ts'

const report = (...words: string[]) => runCommand('loadtest/report/main.ts', words)

describe('npm run loadtest -- report', () => {
  test('writes the report of a file to the given directory', async t => {
    const directory = mkdtempSync(join(tmpdir(), 'report-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const { stderr, code } = await report('docs/results/ladder.json', '--out', directory)
    assert.equal(stderr, `report: ${join(directory, 'report.html')}\n`)
    assert.equal(code, 0)
    assert.ok(existsSync(join(directory, 'report.md')))
  })

  const mistakes: readonly [string[], RegExp][] = [
    [['docs/results/ladder.json'], /^error: say with --out DIRECTORY/],
    [['package.json', '--out', 'x'], /^error: package.json holds no results/],
    [['nowhere', '--out', 'x'], /^error: cannot read nowhere \(ENOENT\)/],
    [['one', 'two'], /^error: one run is expected, received "two" too/],
  ]
  for (const [words, message] of mistakes) {
    test(`answers ${words.join(' ')} with one line`, async () => {
      const { stderr, code } = await report(...words)
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.equal(stderr.trimEnd().split('\n').length, 1)
    })
  }
})
