import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlannedRun, Results, Settings } from '../outcome/results.ts'
import type { Ledger } from '../sample/ledger.ts'
import { type Row, selectRows } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { Spectrum } from '../spectrum/spectrum.ts'
import { run } from './run.ts'

const settings = { command: 'run', rounds: 3, budgetSeconds: null, seed: 4 } as Settings
const keeping = { ...settings, keepsStacks: true }
const countSamples = ({ steps }: Results) => steps.reduce((sum, { samples }) => sum + samples.length, 0)
const nothing = () => {}
const progress = {
  ...{ plan: nothing, starting: nothing, profiling: nothing },
  ...{ started: nothing, finished: nothing, finishedBlock: nothing },
}

interface Taken {
  readonly row: string
  readonly block: number
}

/** Runs with samples that are made up. */
async function rehearse(
  plan: Partial<PlannedRun>,
  invent: (taken: Taken, count: number) => Partial<Sample> | 'interrupt' = () => ({}),
  ledgerOf: (row: string) => unknown = () => undefined,
) {
  const abort = new AbortController()
  const taken: Taken[] = []
  const profiled: string[] = []
  const saved: Results[] = []
  const kept = { started: [] as string[], stops: 0 }
  async function take(row: Row, round: number): Promise<Sample> {
    taken.push({ row: row.name, block: round })
    const invented = invent({ row: row.name, block: round }, taken.length)
    if (invented === 'interrupt') {
      abort.abort(new Error('interrupted'))
      throw abort.signal.reason
    }
    const figures = { mainThreadMicros: 100, goodput: 10, totalMicros: 200, latencyMs: { p99: 1 } }
    return { round, valid: true, reason: null, ...figures, ...invented } as Sample
  }
  const results = await run({ rows: selectRows('0-2', undefined, {}), settings, ...plan }, abort.signal, {
    progress,
    save: each => saved.push(structuredClone(each)),
    async profile(row) {
      profiled.push(row.name)
      return { shares: { compute: 0.5 }, threads: [], reason: null } as unknown as Spectrum
    },
    take,
    async keep(rows) {
      kept.started.push(...rows.map(({ name }) => name))
      let stopped: ReadonlyMap<Row, Ledger> | undefined
      return {
        take,
        measure: async () => assert.fail('no turns are asked for'),
        async stop() {
          if (!stopped) kept.stops++
          stopped ??= new Map(rows.map(row => [row, ledgerOf(row.name) as Ledger]))
          return stopped
        },
      }
    },
  })
  return { results, taken, profiled, saved, kept }
}

describe('a run', () => {
  test('takes every row once a block, in an order that its seed decides, and saves after every sample', async () => {
    const { taken, saved, results } = await rehearse({})
    assert.deepEqual(saved.map(countSamples), [1, 2, 3, 4, 5, 6, 7, 8, 9, 9])
    assert.ok(saved.slice(0, -1).every(({ partial }) => partial))
    assert.deepEqual(saved.at(-1), results)
    assert.deepEqual(
      taken.map(({ block }) => block),
      [1, 1, 1, 2, 2, 2, 3, 3, 3],
    )
    for (const block of [1, 2, 3]) {
      const rows = taken.filter(each => each.block === block).map(({ row }) => row)
      assert.deepEqual(rows.sort(), ['compute', 'monolith', 'serialization'])
    }
    assert.deepEqual((await rehearse({})).taken, taken)
    assert.notDeepEqual((await rehearse({ settings: { ...settings, seed: 5 } })).taken, taken)
  })

  test('takes a refused sample again, three times at most, and keeps all of them', async () => {
    const { results } = await rehearse({}, ({ row, block }, count) =>
      (row === 'monolith' && block === 2) || count === 1 ? { valid: false, reason: 'busy' } : {},
    )
    const monolith = results.steps[0]?.samples.filter(({ round }) => round === 2)
    assert.deepEqual(
      monolith?.map(({ reason }) => reason),
      ['busy', 'busy', 'busy', 'busy'],
    )
    const all = results.steps.flatMap(({ samples }) => samples)
    assert.equal(all.length, 9 + 3 + 1)
    assert.equal(all.filter(({ valid }) => valid).length, 8)
  })

  test('that is interrupted says what it has, and nothing before its first sample', async () => {
    const { results } = await rehearse({}, (_, count) => (count === 5 ? 'interrupt' : {}))
    assert.equal(countSamples(results), 4)
    assert.equal(results.partial, true)
    await assert.rejects(
      rehearse({}, () => 'interrupt'),
      { name: 'UserError', message: 'interrupted before a sample was taken' },
    )
  })

  test('profiles each row once, before its samples', async () => {
    const withSpectrum = { ...settings, spectrum: true }
    const { profiled, results, saved } = await rehearse({ settings: withSpectrum })
    assert.deepEqual(profiled, ['monolith', 'compute', 'serialization'])
    assert.ok(saved[2]?.steps.every(({ spectrum, samples }) => spectrum && samples.length === 0))
    assert.deepEqual(results.steps[1]?.prediction, { ratioAtBest: 0.5 })
    assert.deepEqual((await rehearse({})).profiled, [])
  })

  test('that looks at its verdicts goes on with the rows that have none', async () => {
    const looking = { ...settings, rounds: 0, budgetSeconds: 600, baseline: 'previous', looks: true } as const
    const costs: Record<string, readonly number[]> = {
      monolith: [100, 101],
      compute: [20, 20.3],
      serialization: [20.1, 20],
    }
    const { taken } = await rehearse({ settings: looking }, ({ row, block }) =>
      block > 6 ? 'interrupt' : { mainThreadMicros: costs[row]?.[block % 2] as number },
    )
    const rowsOf = (block: number) =>
      taken
        .filter(each => each.block === block)
        .map(({ row }) => row)
        .sort()
    for (const block of [1, 2, 3, 4]) assert.equal(rowsOf(block).length, 3)
    assert.deepEqual(rowsOf(5), ['compute', 'serialization'])
  })

  test('has a budget that counts from the start of its plan', async () => {
    const budgeted = { ...settings, rounds: 0, budgetSeconds: 600 }
    const scattered = (_: Taken, count: number) =>
      count > 30 ? 'interrupt' : { mainThreadMicros: 100 + (count % 2) * 50 }
    const startedAtMs = performance.now() - 600_000
    const { results } = await rehearse({ settings: budgeted, startedAtMs }, scattered)
    assert.equal(results.settings.rounds, 1)
  })

  describe('that keeps its stacks', () => {
    const counts = { emitted: 7, delivered: 7, dropped: 0, rejected: 0 }
    const whole = { logLines: counts, spans: counts, metricPoints: counts }
    const open = { ...whole, spans: { ...counts, delivered: 6 } }

    test('takes all samples of a row from one, and adds its ledger to the last', async () => {
      const { results, kept, saved } = await rehearse({ settings: keeping }, undefined, () => whole)
      assert.deepEqual(kept, { started: ['monolith', 'compute', 'serialization'], stops: 1 })
      assert.deepEqual(
        results.steps.map(({ samples }) => samples.map(({ ledger }) => ledger ?? null)),
        Array(3).fill([null, null, whole]),
      )
      assert.deepEqual(saved.map(countSamples), [3, 6, 9, 9])
    })

    test('counts no sample of a stack whose ledger does not close', async () => {
      const ledgerOf = (name: string) => (name === 'compute' ? open : whole)
      const { results } = await rehearse({ settings: keeping }, undefined, ledgerOf)
      const reasons = results.steps.map(({ samples }) => new Set(samples.map(({ reason }) => reason)))
      const gap = 'the ledger of spans is open: 7 emitted, 6 delivered, 0 dropped, 0 rejected'
      assert.deepEqual(reasons, [new Set([null]), new Set([gap]), new Set([null])])
      assert.equal(results.steps[1]?.versusPrevious?.mainThreadMicros.ratio, null)
    })
  })

  test('with a budget adds blocks until ratios are narrow, and says how many it took', async () => {
    const budgeted = { ...settings, rounds: 0, budgetSeconds: 600 }
    const { results } = await rehearse({ settings: budgeted }, (_, count) => ({
      mainThreadMicros: 100 + (count % 2) / 10,
    }))
    assert.equal(results.settings.rounds, 8)
    assert.equal(results.steps[1]?.versusPrevious?.mainThreadMicros.verdict, 'equivalent')
  })
})
