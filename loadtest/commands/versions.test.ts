import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions } from '../../lib/cli/command-line.ts'
import type { Presentation } from '../declaration/presentation.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { idle } from './idle/command.ts'
import { summarizeIdle } from './idle/summarize.ts'
import { isolation } from './isolation.ts'

const own = process.versions.node
const { signal } = new AbortController()

/** @returns the first table of a command, as titles and cells, and its remarks */
function show(presentation: Presentation | undefined, results: object) {
  const content = presentation?.content(results as SavedRun) ?? []
  const [table] = content.flatMap(each => (each.kind === 'table' ? each : []))
  const remarks = content.flatMap(each => (each.kind === 'remarks' ? each.sentences : []))
  return { titles: table?.columns.map(({ title }) => title), rows: table?.rows, remarks }
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
        [{ round: 1, valid: true, latencyMs: { p50: 1, p99: 2 ** index } } as Sample],
      ]),
    )
    const shown = show(isolation.presentation, { steps: summarizeRows(three, taken), settings })
    const at = shown.titles?.indexOf('p99 × first') ?? -1
    assert.deepEqual(
      shown.rows?.map(cells => cells[at]),
      ['-', '2.00', '4.00'],
    )
  })

  test('that do not run the app stay as a row of idle, with the reason', () => {
    const row = { number: null, name: 'last+node=20.1.0', node: { version: '20.1.0', v8: '11' } }
    const absent = summarizeIdle({ ...row, didNotRun: 'it is old' } as unknown as Row, [])
    const use = { cpuMs: 1, wakeups: 2 }
    const processes = { app: { mainThread: use, allThreads: use } }
    const present = summarizeIdle({ ...row, name: 'last' } as unknown as Row, [
      { round: 1, valid: true, reason: null, processes },
    ])
    const { rows, remarks } = show(idle.presentation, { rows: [absent, present] })
    assert.deepEqual(rows?.[0]?.slice(1, 3), ['did not run', '-'])
    assert.deepEqual(rows?.[1]?.slice(1, 3), ['app', '1.0'])
    assert.deepEqual(remarks, ['last+node=20.1.0 did not run: it is old.'])
  })
})
