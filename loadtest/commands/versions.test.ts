import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOptions } from '../../lib/cli/command-line.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import { onVersions } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { isolation } from './isolation.ts'

test('versions of Node.js are compared with the first of the list by isolation', async () => {
  const flags = ['--node', process.versions.node, '--step', '0', '--rate', '10', '--rounds', '1']
  const { values } = parseOptions(isolation.options, flags)
  const { rows, settings } = await isolation.plan(values, new AbortController().signal)
  assert.equal(settings.baseline, 'first')
  const nodes = ['22.1.0', '24.2.0', '26.2.0'].map(version => ({ version, v8: '14' }))
  const three = onVersions(rows, nodes)
  const sampleOf = (p99: number) => ({ round: 1, valid: true, latencyMs: { p50: 1, p99 } }) as Sample
  const taken = new Map(three.map((row, index) => [row, [sampleOf(2 ** index)]]))
  const results = { steps: summarizeRows(three, taken), settings }
  const [costs] = isolation.presentation.content(results as never)
  if (costs?.kind !== 'table') return assert.fail()
  const at = costs.columns.findIndex(({ title }) => title === 'p99 × first')
  assert.deepEqual(
    costs.rows.map(cells => cells[at]),
    ['-', '2.00', '4.00'],
  )
})
