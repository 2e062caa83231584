import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { takeSample } from './command.ts'
import { answerOf, crossingColumns, formatBytes, formatMicros } from './presentation.ts'
import { type Cell, gridComputes, type Order, type Report } from './protocol.ts'
import {
  type Crossing,
  describeRounds,
  findCrossing,
  type Length,
  type Sample,
  summarize,
} from './results.ts'

const lengths = [10, 100, 1000]
const rounded = (length: Length | null) =>
  typeof length === 'number' ? Math.round(length * 100) / 100 : length

describe('a crossing', () => {
  const cases: readonly [what: string, inlineCosts: number[], Length][] = [
    ['lies where straight lines between logarithms meet', [10, 100, 1000], 40],
    ['lies at a length that costs the same in both', [10, 40, 100], 100],
    ['is below the range where it is cheaper elsewhere at every length', [41, 100, 1000], 'below'],
    ['is above the range where it is not even at the longest', [10, 100, 39], 'above'],
    ['is the last of several, beyond which nothing speaks against it', [50, 4, 400], 316.23],
  ]
  for (const [what, costs, expected] of cases) {
    test(what, () => {
      const points = costs.map((inline, at) => ({
        lengthMicros: lengths[at] as number,
        inline,
        elsewhere: 40,
      }))
      assert.equal(rounded(findCrossing(points)), expected)
    })
  }

  const rounds: readonly [what: string, Length[], Length | null, readonly [Length, Length] | null][] = [
    ['is the median of the rounds, with its interval by rank', [30, 40, 10, 20, 60, 50], 34.64, [10, 60]],
    ['has no interval of fewer than six rounds', [30, 40, 10, 20, 60], 30, null],
    ['knows only that an end lies beyond', ['below', 20, 30, 30, 40, 'above'], 30, ['below', 'above']],
    [
      'is itself beyond where most rounds are',
      ['above', 90, 'above', 'above', 80, 'above'],
      'above',
      [80, 'above'],
    ],
    ['is not known where rounds contradict each other', ['below', 'above'], null, null],
    ['is not known of no round', [], null, null],
  ]
  for (const [what, found, length, ci95] of rounds) {
    test(what, () => {
      const crossing = describeRounds(found)
      assert.equal(rounded(crossing.lengthMicros), length)
      assert.deepEqual(crossing.ci95?.map(rounded) ?? null, ci95)
    })
  }
})

describe('what six rounds find', () => {
  /** Inline a task costs its length, in threads 40 µs, in processes 400 µs; in round n all of it n times as much. */
  function invent({ compute, lengthMicros }: Cell, round: number, valid: boolean): Sample {
    const report: Report = {
      machine: null,
      tasks: 10,
      mainThreadMicros: { inline: lengthMicros, threads: 40, processes: 400 }[compute] * round,
      latencyMs: { p50: 1, p90: 1, p99: 1, max: 1 },
    }
    return { ...report, round, valid, reason: null, noise: null }
  }
  const find = (isValid: (cell: Cell) => boolean) => {
    const cells = lengths.flatMap(lengthMicros =>
      gridComputes.map((compute): Cell => ({ compute, lengthMicros, payloadBytes: 100, concurrency: 1 })),
    )
    const samples = (cell: Cell) => [1, 2, 3, 4, 5, 6].map(round => invent(cell, round, isValid(cell)))
    return summarize(new Map(cells.map(cell => [cell, samples(cell)]))).crossings
  }

  test('is where costs cross, whatever a round did to all of them', () => {
    assert.deepEqual(
      find(() => true).map(({ compute, lengthMicros, ci95 }) => [
        ...[compute, rounded(lengthMicros), ci95?.map(rounded)],
      ]),
      [
        ['threads', 40, [40, 40]],
        ['processes', 400, [400, 400]],
      ],
    )
  })

  test('does not need a length that has no part in it', () => {
    const [threads, processes] = find(cell => !(cell.compute === 'inline' && cell.lengthMicros === 1000))
    assert.equal(threads?.rounds.length, 6)
    // 400 µs lie beyond 100 µs, the longest that is left, but it is not the longest that was asked for.
    assert.deepEqual(processes?.rounds, [])
  })
})

describe('what is told', () => {
  const found = (changes: Partial<Crossing>): Crossing => ({
    compute: 'threads',
    payloadBytes: 100,
    concurrency: 1,
    rangeMicros: [10, 100_000],
    lengthMicros: 85.2,
    ci95: [70, 110],
    rounds: [85.2],
    ...changes,
  })

  test('has its unit', () => {
    assert.deepEqual([9.87, 85.2, 300, 1000, 1716, 100_000].map(formatMicros), [
      '9.9 µs',
      '85 µs',
      '300 µs',
      '1 ms',
      '1.7 ms',
      '100 ms',
    ])
    assert.deepEqual([100, 10_000, 1e6].map(formatBytes), ['100 B', '10 KB', '1 MB'])
  })

  test('is a row for each payload, and a column for each implementation', () => {
    const all = [found({}), found({ compute: 'processes', lengthMicros: 120, ci95: null })] as const
    assert.deepEqual(
      crossingColumns.map(({ title, cell }) => [title, cell(all)]),
      [
        ['input', '100 B'],
        ['tasks at a time', '1'],
        ['threads: cheaper for the main thread', 'from 85 µs [70 µs, 110 µs]'],
        ['processes: cheaper for the main thread', 'from 120 µs'],
      ],
    )
  })

  const answers: readonly [Partial<Crossing>, string][] = [
    [{ lengthMicros: 'below', ci95: ['below', 12] }, 'at all lengths [< 10 µs, 12 µs].'],
    [{ lengthMicros: 'above', ci95: [9000, 'above'] }, 'at no length [9 ms, > 100 ms].'],
    [{ lengthMicros: null, ci95: null }, 'unknown (the rounds do not agree).'],
    [{ lengthMicros: null, ci95: null, rounds: [] }, 'unknown (no round has the needed lengths).'],
  ]
  for (const [changes, end] of answers) {
    test(`is ${end}`, () =>
      assert.equal(
        answerOf([found({ concurrency: 16, ...changes })]),
        `With 100 B of input, 16 at a time, a task costs the main thread less with threads than inline: ${end}`,
      ))
  }
})

describe('a sample', () => {
  const never = new AbortController().signal
  /** Long, so that the tasks use more CPU time than the start of the measured process, on a busy machine too. */
  const LENGTH_MICROS = 40_000
  const orderOf = (compute: Cell['compute']): Order => ({
    cell: { compute, lengthMicros: LENGTH_MICROS, payloadBytes: 100, concurrency: 2 },
    threads: 1,
    // Many steps of the clock of CPU time, of four milliseconds.
    durationMs: 100,
    iterationsPerMicro: 500,
  })

  for (const compute of gridComputes) {
    test(`of compute/${compute} tells where its tasks ran`, async () => {
      const sample = await takeSample(orderOf(compute), 3, never)
      const { tasks, mainThreadMicros, latencyMs } = sample
      assert.ok(tasks >= 2, `${tasks} tasks of two clients`)
      assert.equal(mainThreadMicros > LENGTH_MICROS / 2, compute === 'inline', JSON.stringify(sample))
      assert.ok(latencyMs.p50 > 0)
    })
  }

  test('that fails says why', () =>
    assert.rejects(takeSample(orderOf('nonsense' as 'inline'), 1, never), /what is measured failed: .*Error/))
})
