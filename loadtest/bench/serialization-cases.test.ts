import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderMarkdownTable } from '../../lib/cli/columns.ts'
import { installed } from '../peers/install.ts'
import { renderPeers, renderSerialization } from './serialization.ts'
import { caseName, cases, loads } from './serialization-cases.ts'

describe('bench:serialization', () => {
  test('measures only what decodes and encodes right, by every codec', async () => {
    const all = Object.entries(cases)
    assert.equal(all.length, 9 * 2 + 9 * 3 + 6)
    const ours = all.filter(([name]) => !/protobuf-es|msgpackr|ajv|typebox/.test(name))
    for (const [name, make] of installed() ? all : ours) assert.ok(Number((await make())()) > 0, name)
  })

  test('shows what a codec takes of what JSON takes, round by round, and no ratio where it takes no part', () => {
    const [load] = loads as [(typeof loads)[number]]
    const samples = {
      [caseName(load, 'JSON')]: [1000, 2000, 1010, 1990, 1500, 1600, 1700],
      [caseName(load, 'Protobuf')]: [510, 990, 500, 1010, 740, 805, 860],
    }
    const [, , row = ''] = renderSerialization(samples, renderMarkdownTable).split('\n')
    const cells = row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim())
    assert.deepEqual(cells.slice(0, 6), ['decode 1 of strings', '1.60', '-', '-', '-', '0.81'])
    assert.match(cells[6] as string, /^0\.50 \[0\.4\d, 0\.5\d\]$/)
    assert.equal(cells[7], 'less')
  })

  test('shows each peer beside JSON for the orders of a demo', () => {
    const samples = {
      'decode 15 mixed JSON': [9000, 9100, 9050],
      'decode 15 mixed ajv': [18_000, 18_300, 18_090],
    }
    const [, , , ajv, ...others] = renderPeers(samples, renderMarkdownTable).split('\n')
    const cells = ajv?.split('|').map(cell => cell.trim())
    assert.deepEqual(cells?.slice(1, 4), ['ajv', '18.09', '2.00'])
    assert.deepEqual(others, [])
  })
})
