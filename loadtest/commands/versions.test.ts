import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions } from '../../lib/cli/command-line.ts'
import type { Presentation } from '../declaration/presentation.ts'
import type { SavedRun } from '../outcome/results.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { isolation } from './isolation.ts'

const own = process.versions.node
const { signal } = new AbortController()

/** @returns the first table of a command, as titles and cells */
function show(presentation: Presentation | undefined, results: object) {
  const content = presentation?.content(results as SavedRun) ?? []
  const [table] = content.flatMap(each => (each.kind === 'table' ? each : []))
  return { titles: table?.columns.map(({ title }) => title), rows: table?.rows }
}

describe('versions of Node.js', () => {
  test('are compared with the first of the list by isolation', async () => {
    const flags = ['--node', `${own},${own},${own}`, '--rate', '10', '--rounds', '1']
    const { rows, settings } = await isolation.plan(parseOptions(isolation.options, flags).values, signal)
    assert.equal(settings.baseline, 'first')
    const three = rows.slice(0, 3)
    const taken = new Map<Row, Sample[]>(
      three.map((row, index) => [
        row,
        [
          {
            round: 1,
            valid: true,
            latencyMs: { p50: 1, p99: 2 ** index },
          } as unknown as Sample,
        ],
      ]),
    )
    const shown = show(isolation.presentation, { steps: summarizeRows(three, taken), settings })
    const at = shown.titles?.indexOf('p99 × first') ?? -1
    assert.deepEqual(
      shown.rows?.map(cells => cells[at]),
      ['-', '2.00', '4.00'],
    )
  })
})
