import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { before, describe, test } from 'node:test'
import { resultsDirectory } from '../loadtest/outcome/results-file.ts'
import { resultsOf } from '../release/documents/runs.ts'
import { type Outcome, runCommandLines } from './run-command.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const COMMAND = ['loadtest/main.ts', 'report'] as const

describe('npm run loadtest -- report', () => {
  test('writes the report of a file to the given directory, or to that of its run', async t => {
    const directory = temporaryDirectory(t)
    const run = relative('.', resultsDirectory(resultsOf('ladder')))
    const given = [...COMMAND, 'docs/results/ladder.json'] as const
    const outcomes = await runCommandLines([[...given, '--out', directory], given])
    for (const [index, place] of [directory, run].entries()) {
      const { stderr, code } = outcomes[index] as Outcome
      assert.deepEqual([code, stderr], [0, `report: ${join(place, 'report.html')}\n`])
      assert.ok(existsSync(join(place, 'report.html')))
    }
  })

  const mistakes: readonly [string[], RegExp][] = [
    [['package.json', '--out', 'x'], /^error: package.json holds no results/],
    [['nowhere', '--out', 'x'], /^error: cannot read nowhere \(ENOENT\)/],
    [['docs/results', '--out', 'x'], /^error: cannot read docs\/results\/results.json \(ENOENT\)/],
    [['one', 'two'], /^error: one run is expected, received "two" too/],
  ]
  let outcomes: readonly Outcome[]
  before(async () => {
    outcomes = await runCommandLines(mistakes.map(([words]) => [...COMMAND, ...words]))
  })
  for (const [index, [words, message]] of mistakes.entries()) {
    test(`answers ${words.join(' ')} with one line`, () => {
      const { stderr, code } = outcomes[index] as Outcome
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.equal(stderr.trimEnd().split('\n').length, 1)
    })
  }
})
