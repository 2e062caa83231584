import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { resultsDirectory } from '../loadtest/outcome/results-file.ts'
import { resultsOf } from '../release/documents/runs.ts'
import { runCommandLines } from './run-command.ts'

const COMMAND = ['loadtest/main.ts', 'report'] as const

describe('npm run loadtest -- report', () => {
  test('writes the report of a file to the directory of its run', async () => {
    const report = join(relative('.', resultsDirectory(resultsOf('ladder'))), 'report.html')
    const [outcome] = await runCommandLines([[...COMMAND, 'docs/results/ladder.json']])
    assert.deepEqual([outcome?.code, outcome?.stderr], [0, `report: ${report}\n`])
    assert.ok(existsSync(report))
  })

  test('answers a mistake with one line', async () => {
    const mistakes: readonly [string[], RegExp][] = [
      [['package.json'], /^error: package.json holds no results.*\n$/],
      [['nowhere'], /^error: cannot read nowhere \(ENOENT\).*\n$/],
      [['docs/results'], /^error: cannot read docs\/results\/results.json \(ENOENT\).*\n$/],
      [['one', 'two'], /^error: one run is expected, received "two" too.*\n$/],
    ]
    const outcomes = await runCommandLines(mistakes.map(([words]) => [...COMMAND, ...words]))
    for (const [index, { stderr, code }] of outcomes.entries()) {
      assert.equal(code, 1)
      assert.match(stderr, mistakes[index]?.[1] as RegExp)
    }
  })
})
