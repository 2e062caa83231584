import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { renderColumns } from '../../lib/cli/columns.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { presentationOf } from '../commands/index.ts'
import { renderForTerminal, renderText } from '../declaration/presentation.ts'
import type { Results } from '../outcome/results.ts'
import { readPublished } from './results.fixture.ts'
import { writeReport } from './write.ts'

const runs = ['ladder', 'page', 'aa', 'ladderAt30', 'isolation', 'equalCores', 'breakEven']

/** The titles of the tables' columns in HTML: one list for each table. */
const titlesInPage = (page: string) =>
  [...page.matchAll(/<thead><tr>(.*?)<\/tr>/g)].map(([, row]) =>
    [...(row as string).matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, title]) => title as string),
  )

describe('the tables of a run', () => {
  for (const name of runs) {
    test(`of ${name} have the same columns in the terminal and in the report`, t => {
      const run = readPublished(name)
      const content = presentationOf(run).content(run)
      const page = readFileSync(writeReport(run, temporaryDirectory(t)), 'utf8')
      const declared = content.flatMap(each =>
        each.kind === 'table' ? [each.columns.map(({ title }) => title)] : [],
      )
      assert.ok(declared.length > 0)
      const shown = titlesInPage(page).map(String)
      for (const titles of declared) assert.ok(shown.includes(String(titles)), `the page has ${titles}`)
      const headers = renderText(content, renderColumns)
        .split('\n')
        .map(line => line.trim().split(/ {2,}/))
      for (const titles of declared) assert.ok(headers.some(header => String(header) === String(titles)))
    })
  }
})

test('a quick run shows on a terminal three columns below what their figures mean, and what they come to', () => {
  const run = readPublished('ladder') as Results
  const { inShort } = presentationOf(run)
  const quick = { ...run, settings: { ...run.settings, looks: true } }
  const shown = inShort?.(quick) ?? assert.fail()
  assert.deepEqual(
    shown.flatMap(each => (each.kind === 'table' ? each.columns.map(({ title }) => title) : [])),
    ['step', 'main-thread cost, µs', '× previous'],
  )
  assert.match(renderForTerminal(shown), /^In brackets: .*A ratio \(×\) .*From monolith to upstream: /s)
  assert.equal(inShort?.(run), undefined)
})
