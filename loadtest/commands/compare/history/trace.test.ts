import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Results } from '../../../outcome/results.ts'
import { findRegressions, historyPresentation } from './presentation.ts'
import { readRuns } from './read.ts'
import type { History } from './results.ts'
import { traceRuns } from './trace.ts'

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
      ...{ round, valid: true },
      mainThreadMicros: micros * speed * (1 + ((round * (name.length + day)) % 3) / 100),
    })),
  })
  const { cpu = 'a', node = 'v26.1.0', first = 'monolith', settings } = changes
  return {
    schemaVersion: 1,
    environment: {
      ...{ cpu, node, cores: 2 },
      commit: `${day}abcdef01234`,
      date: `2026-01-0${day}T10:00:00Z`,
    },
    settings: {
      ...{ command: 'run', scenario: 'demo', connections: 50, threads: 1, arrivals: 'poisson', beside: null },
      ...{ warmupSeconds: 2, durationSeconds: 4 },
      ...settings,
    },
    steps: [row(first, 1000), row('apm', cost)],
  } as unknown as Results
}

const trace = (...runs: Results[]) =>
  traceRuns(
    runs.map(run => ({ path: run.environment.date.slice(0, 10), run })),
    'mainThreadMicros',
  )

describe('a history', () => {
  test('compares each row with the run before, in terms of the first row, and marks what became worse', () => {
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
    assert.equal(findRegressions({ runs }).length, 1)
    assert.match(findRegressions({ runs })[0] as string, /^apm at 3abcdef × 1\.\d\d \[/)
    const history = { runs, first, settings: { metric: 'mainThreadMicros' } } as unknown as History
    assert.match(historyPresentation.answer(history), /^Worse than in the run before: apm at 3abcdef/)
  })

  test('compares a run with the last one on the same Node.js, and says where that changed', () => {
    const runs = [invent(1, 200), invent(2, 240, { node: 'v28.0.0' }), invent(3, 241, { node: 'v28.0.0' })]
    const traced = trace(...runs, invent(4, 240))
    assert.deepEqual(
      traced.runs.map(({ rows }) => rows[0]?.versusBefore?.verdict),
      [undefined, undefined, 'equivalent', 'slower'],
    )
    const history = { ...traced, settings: { metric: 'mainThreadMicros' } } as unknown as History
    const sentences = historyPresentation
      .content(history)
      .flatMap(each => (each.kind === 'remarks' ? each.sentences : []))
    assert.match(sentences[1] as string, /^Node.js is v26.1.0 until 1abcdef and v28.0.0 from 2abcdef on/)
    assert.equal(sentences.length, 3)
  })

  test('refuses to mix machines, first rows and ways to measure, and names the runs', () => {
    const refuses = (changes: object, message: RegExp) =>
      assert.throws(() => trace(invent(1, 200), invent(2, 200, changes)), { message })
    refuses({ cpu: 'b' }, /the processor is a in 2026-01-01 and b in 2026-01-02; name runs that are alike/)
    refuses({ settings: { warmupSeconds: 1.5 } }, /warmupSeconds is 2 in 2026-01-01 and 1.5 in 2026-01-02/)
    refuses({ settings: { durationSeconds: 0.5 } }, /durationSeconds is 4 in .* and 0.5 in/)
    refuses({ settings: { keepsStacks: true } }, /keepsStacks is false in .* and true in/)
    refuses({ settings: { pin: true } }, /pin is false in .* and true in/)
    refuses({ settings: { scenario: 'page' } }, /scenario is demo in 2026-01-01 and page in 2026-01-02/)
    refuses({ first: 'framework' }, /the first row is monolith in 2026-01-01 and framework in 2026-01-02/)
    assert.throws(() => trace(invent(1, 200)), /at least 2 runs, received 1/)
  })

  test('takes from a directory the complete runs of rows, each once, and leaves out everything else', t => {
    const directory = mkdtempSync(join(tmpdir(), 'history-'))
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
