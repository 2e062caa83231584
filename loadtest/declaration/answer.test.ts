import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Results, RowResult } from '../outcome/results.ts'
import { atLoads } from '../sample/compared-rows.ts'
import { selectRows } from '../sample/rows.ts'
import type { Ratio } from '../statistics/ratio.ts'
import { answerOf } from './answer.ts'
import { countColumns } from './columns.ts'

const ratio = (value: number, ci95: Ratio['ci95'], verdict: Ratio['verdict']): Ratio => ({
  ratio: value,
  ci95,
  verdict,
  smallestDetectableEffect: ci95 && 0.09,
})
const less = ratio(0.2, [0.16, 0.25], 'faster')
const littleMore = ratio(1.3, [1.2, 1.42], 'slower')
const open = ratio(1.02, [0.9, 1.1], 'inconclusive')
const same = ratio(1, [0.99, 1.01], 'equivalent')
const unknown = ratio(0.5, null, 'inconclusive')

/** The first three steps, each with these ratios to the row above and to the first row. */
function resultsOf(
  versus: readonly (readonly [previous: Ratio, first: Ratio])[],
  changes: object = {},
): Results {
  const steps = selectRows('0-2', undefined, {}).map((row, index) => {
    const [previous, first] = versus[index - 1] ?? []
    return {
      ...row,
      mainThreadMicros: { median: 100 - index, ci95: null },
      versusPrevious: previous ? { mainThreadMicros: previous } : null,
      versusFirst: first ? { mainThreadMicros: first } : null,
    } as unknown as RowResult
  })
  return {
    steps,
    settings: { scenario: 'demo', rounds: 8, baseline: 'previous' },
    ...changes,
  } as unknown as Results
}

describe('the answer of a run', () => {
  const cases: readonly [string, Results, string][] = [
    [
      'a ladder sums up, and names the moves that made a difference',
      resultsOf([[less, less], [open, less]]), // biome-ignore format: pairs
      'The main-thread cost of a /demo, × the row above: compute 0.20 [0.16, 0.25]. Cannot tell serialization (this run finds 9 % or more). A longer run could. From monolith to serialization: 0.20 [0.16, 0.25].',
    ],
    [
      'a ladder that found nothing says so',
      resultsOf([[open, open], [open, open]]), // biome-ignore format: pairs
      'The main-thread cost of a /demo, × the row above. Cannot tell compute (this run finds 9 % or more), serialization (9 % or more). A longer run could. From monolith to serialization: 1.02 [0.90, 1.10].',
    ],
    [
      'a ladder tells what is the same',
      resultsOf([[less, less], [same, less]]), // biome-ignore format: pairs
      'The main-thread cost of a /demo, × the row above: compute 0.20 [0.16, 0.25], serialization the same. From monolith to serialization: 0.20 [0.16, 0.25].',
    ],
    [
      'rows that are compared with the first are named',
      resultsOf([[open, littleMore], [open, less]], { settings: { scenario: 'mix', rounds: 8, baseline: 'first' } }), // biome-ignore format: pairs
      'The main-thread cost of a request of mix, × monolith: compute 1.30 [1.20, 1.42], serialization 0.20 [0.16, 0.25].',
    ],
    [
      'too few blocks are no answer, also of a noisy run',
      resultsOf([[unknown, unknown], [unknown, unknown]], { noisy: true, settings: { scenario: 'demo', rounds: 2, baseline: 'previous' } }), // biome-ignore format: pairs
      '2 blocks of samples give no answer, only a first look: the median main-thread cost of a /demo is 100 µs in monolith and 98 in serialization. These results are noisy.',
    ],
  ]
  for (const [what, results, answer] of cases) {
    test(`of ${what}`, () => assert.equal(answerOf(results, 'mainThreadMicros'), answer))
  }

  test('of a single row compares nothing', () => {
    const results = resultsOf([])
    const single = { ...results, steps: results.steps.slice(0, 1) }
    assert.match(answerOf(single, 'mainThreadMicros'), /single row/)
  })
})

test('a run at several loads is answered for each', () => {
  const loads = [66, 200].map(ratePerSecond => ({ name: `${ratePerSecond}/s`, ratePerSecond }))
  const steps = atLoads(selectRows('0-1', undefined, {}), loads).map((row, index) => ({
    ...{ ...row, mainThreadMicros: { median: 100, ci95: null }, versusPrevious: null },
    versusFirst: index % 2 === 0 ? null : { mainThreadMicros: less },
  }))
  const results = { ...resultsOf([]), settings: { scenario: 'demo', rounds: 8, baseline: 'first' }, steps }
  assert.match(
    answerOf(results as unknown as Results, 'mainThreadMicros'),
    / of a \/demo at 66\/s, × monolith: compute 0\.20 .* of a \/demo at 200\/s, × monolith: compute 0\.20 /,
  )
})

test('the counts of the main thread are those that samples have', () => {
  const [known, unknown] = [2048, null].map(median => ({ median, ci95: null }))
  const results = {
    settings: { baseline: 'first' },
    steps: [{ number: 1, name: 'one', allocatedBytes: known, wakeups: unknown }],
  }
  const columns = countColumns(results as unknown as Results)
  assert.deepEqual(columns.map(({ title }) => title), ['step', 'KiB allocated', '× first', 'verdict']) // biome-ignore format: short
  assert.equal(columns[1]?.cell(results.steps[0] as never), '2.0')
})
