import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import type { Results } from '../outcome/results.ts'
import { resultsDirectory } from '../outcome/results-file.ts'
import { readPublished } from './results.fixture.ts'
import { tryToReport } from './write.ts'

const ladder = readPublished('ladder')
const results: Results = { ...ladder, environment: { ...ladder.environment, date: `test ${process.pid}` } }

async function tell(t: TestContext, given: Results): Promise<string> {
  t.after(() => rmSync(resultsDirectory(given), { recursive: true, force: true }))
  const write = t.mock.method(process.stderr, 'write', () => true)
  await tryToReport(given)
  write.mock.restore()
  return write.mock.calls.map(({ arguments: [text] }) => String(text)).join('')
}

describe('the report at the end of a run', () => {
  test('stands beside the results', async t => {
    assert.match(await tell(t, results), /^report: .*results\/test-? ?\d+\/report\.html\n$/)
  })

  test('that cannot be made says how to make it again, and fails nothing', async t => {
    const told = await tell(t, { ...results, steps: [null] as unknown as Results['steps'] })
    assert.match(
      told,
      /^warning: there is no report; npm run loadtest -- report .* makes it again: TypeError/,
    )
  })
})
