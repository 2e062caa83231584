import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Results } from '../../outcome/results.ts'
import { readRuns } from './read-runs.ts'
import { findWorse, renderTrace } from './tables.ts'
import { traceRuns } from './trace-runs.ts'

const BLOCKS = [1, 2, 3, 4, 5, 6, 7, 8]

/** A run of two rows on a machine whose speed differs from run to run, and a little from block to block. */
function invent(
  day: number,
  cost: number,
  changes: { cpu?: string; node?: string; first?: string; settings?: object } = {},
): Results {
  const speed = 1 + day
  const row = (name: string, micros: number) => ({
    name,
    samples: BLOCKS.map(round => ({
      round,
      valid: true,
      mainThreadMicros: micros * speed * (1 + ((round * (name.length + day)) % 3) / 100),
    })),
  })
  const { cpu = 'a', node = 'v26.1.0', first = 'monolith', settings } = changes
  return {
    schemaVersion: 1,
    environment: {
      cpu,
      node,
      cores: 2,
      commit: `${day}abcdef01234`,
      date: `2026-01-0${day}T10:00:00Z`,
    },
    settings: {
      command: 'run',
      scenario: 'demo',
      connections: 50,
      threads: 1,
      beside: null,
      warmupSeconds: 2,
      durationSeconds: 4,
      ...settings,
    },
    steps: [row(first, 1000), row('apm', cost)],
  } as unknown as Results
}

const trace = (...runs: Results[]) => {
  const warnings: string[] = []
  const sources = runs.map(run => ({ path: run.environment.date.slice(0, 10), run }))
  return { ...traceRuns(sources, line => warnings.push(line)), warnings }
}

describe('many runs', () => {
  test('are compared, each row with the run before, and marked where they became worse', () => {
    const { first, runs } = trace(invent(3, 240), invent(1, 200), invent(2, 201))
    assert.equal(first, 'monolith')
    assert.deepEqual(
      runs.map(({ date }) => date.slice(0, 10)),
      ['2026-01-01', '2026-01-02', '2026-01-03'],
    )
    assert.equal(runs[0]?.rows[0]?.versusBefore, null)
    assert.equal(runs[0]?.rows[0]?.versusFirst.ratio?.toFixed(1), '0.2')
    assert.deepEqual(
      runs.map(({ rows }) => rows[0]?.versusBefore?.verdict),
      [undefined, 'equivalent', 'slower'],
    )
    const worse = findWorse({ first, runs })
    assert.equal(worse.length, 1)
    assert.match(worse[0] as string, /^apm at 3abcdef × 1\.\d\d \[/)
    const lines = renderTrace({ first, runs }).split('\n')
    assert.equal(lines.filter(line => /✗ more/.test(line)).length, 1)
    assert.match(lines.at(-1) as string, /^Worse than in the run before: apm at 3abcdef/)
  })

  test('are compared with the last run on the same Node.js, and the text says where that changed', () => {
    const runs = [invent(1, 200), invent(2, 240, { node: 'v28.0.0' }), invent(3, 241, { node: 'v28.0.0' })]
    const traced = trace(...runs, invent(4, 240))
    assert.deepEqual(
      traced.runs.map(({ rows }) => rows[0]?.versusBefore?.verdict),
      [undefined, undefined, 'equivalent', 'slower'],
    )
    const text = renderTrace(traced)
    assert.match(text, /\nNode.js is v26.1.0 until 1abcdef and v28.0.0 from 2abcdef on/)
    assert.equal(text.match(/\nNode.js is/g)?.length, 2)
  })

  test('of other machines, first rows or ways to measure than those of the last are left out, with the reason', () => {
    const leavesOut = (changes: object, reason: string) => {
      const { runs, warnings } = trace(invent(1, 200, changes), invent(2, 200), invent(3, 200))
      assert.equal(runs.length, 2)
      assert.deepEqual(warnings, [`left out 2026-01-01: ${reason} in the last run`])
    }
    leavesOut({ cpu: 'b' }, 'the processor is b, and a')
    leavesOut({ settings: { warmupSeconds: 1.5 } }, 'warmupSeconds is 1.5, and 2')
    leavesOut({ settings: { durationSeconds: 0.5 } }, 'durationSeconds is 0.5, and 4')
    leavesOut({ settings: { keepsStacks: true } }, 'keepsStacks is true, and false')
    leavesOut({ settings: { pin: true } }, 'pin is true, and false')
    leavesOut({ settings: { scenario: 'page' } }, 'scenario is page, and demo')
    leavesOut({ first: 'framework' }, 'the first row is framework, and monolith')
    assert.throws(() => trace(invent(1, 200)), /at least 2 runs are compared, received 1/)
    assert.throws(() => trace(invent(1, 200, { cpu: 'b' }), invent(2, 200)), /received 1/)
  })

  test('of a directory are its complete runs of rows, each once, and nothing else', t => {
    const directory = mkdtempSync(join(tmpdir(), 'runs-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const save = (name: string, content: object) => {
      mkdirSync(join(directory, name))
      writeFileSync(join(directory, name, 'results.json'), JSON.stringify(content))
    }
    save('one', invent(1, 200))
    save('two', invent(2, 200))
    save('again', invent(2, 200))
    save('interrupted', { ...invent(3, 200), partial: true })
    save('idle', { schemaVersion: 1, kind: 'idle' })
    mkdirSync(join(directory, 'empty'))
    const days = (paths: string[]) => readRuns(paths).map(({ run }) => run.environment.date.slice(9, 10))
    assert.deepEqual(days([directory]).sort(), ['1', '2'])
    assert.deepEqual(days([join(directory, 'two'), join(directory, 'one/results.json')]), ['2', '1'])
    assert.throws(() => readRuns([join(directory, 'nowhere')]), /cannot read .*nowhere/)
    assert.throws(() => readRuns([join(directory, 'idle')]), /holds no results|of another kind/)
  })
})
