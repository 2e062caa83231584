import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Row, selectRows } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { Results } from './results.ts'
import { summarizeAgain, summarizeRows } from './summarize.ts'

const sample = (round: number, mainThreadMicros: number, valid = true) =>
  ({
    round,
    valid,
    mainThreadMicros,
    goodput: 1000 / mainThreadMicros,
    totalMicros: mainThreadMicros ** 2,
    latencyMs: { p50: mainThreadMicros / 20, p99: mainThreadMicros / 10 },
    wakeups: mainThreadMicros,
    allocatedBytes: mainThreadMicros,
    besideLatencyMs: { p99: mainThreadMicros },
    memoryMiB: 7,
  }) as Sample

function summarizeTaken(...taken: Sample[][]) {
  const rows = selectRows(`0-${taken.length - 1}`, undefined, {})
  return summarizeRows(rows, new Map(taken.map((samples, index) => [rows[index] as Row, samples])))
}

describe('results', () => {
  test('pair each row with the one above and with the first, by the valid samples of a block', () => {
    const [first, , third] = summarizeTaken(
      [sample(1, 100), sample(2, 1, false), sample(2, 300), sample(3, 7)],
      [sample(1, 50), sample(2, 150), sample(3, 1, false)],
      [sample(2, 75), sample(1, 25)],
    )
    assert.equal(first?.samples.length, 4)
    assert.deepEqual(first?.mainThreadMicros, { median: 100, ci95: null })
    assert.deepEqual([first?.versusPrevious, first?.versusFirst], [null, null])
    const ratios = Object.entries(third?.versusPrevious ?? {}).map(([metric, { ratio }]) => [
      metric,
      ratio === null ? null : Number(ratio.toFixed(9)),
    ])
    assert.deepEqual(Object.fromEntries(ratios), {
      mainThreadMicros: 0.5,
      wakeups: 0.5,
      allocatedBytes: 0.5,
      goodput: 2,
      totalMicros: 0.25,
      p50Ms: 0.5,
      p99Ms: 0.5,
      besideP99Ms: 0.5,
      memoryMiB: 1,
    })
    assert.equal(third?.versusFirst?.mainThreadMicros.ratio?.toFixed(9), '0.250000000')
  })

  test('of a run that looks at its verdicts have medians of the blocks that all rows share', () => {
    const rows = selectRows('0-1', undefined, {})
    const taken = [
      [sample(1, 100), sample(2, 300)],
      [sample(1, 50), sample(2, 150), sample(3, 900), sample(4, 900)],
    ]
    const samples = new Map(taken.map((each, index) => [rows[index] as Row, each]))
    const mediansOf = (design: object) =>
      summarizeRows(rows, samples, new Map(), design).map(row => row.mainThreadMicros.median)
    assert.deepEqual(mediansOf({ looks: true }), [200, 100])
    assert.deepEqual(mediansOf({}), [200, 525])
  })

  test('say which way is better: half the cost is faster, half the goodput slower', () => {
    const blocks = [1, 2, 3, 4, 5, 6]
    const [, second] = summarizeTaken(
      blocks.map(round => sample(round, 50 + round)),
      blocks.map(round => sample(round, 100 + round)),
    )
    const verdicts = Object.values(second?.versusPrevious ?? {}).map(({ verdict }) => verdict)
    assert.deepEqual(verdicts, [...Array(8).fill('slower'), 'equivalent'])
    assert.equal(second?.versusPrevious?.goodput.ratio?.toFixed(1), '0.5')
  })

  test('say nothing of what samples do not know', () => {
    const unknown = { ...sample(1, 100), memoryMiB: null }
    const [, second] = summarizeTaken([sample(1, 1)], [unknown])
    assert.deepEqual(second?.memoryMiB, { median: null, ci95: null })
    assert.equal(second?.versusFirst?.memoryMiB.ratio, null)
    assert.ok(second?.versusFirst?.goodput.ratio)
    const [, refused] = summarizeTaken([sample(1, 1)], [sample(1, 1, false)])
    assert.deepEqual([refused?.goodput.median, refused?.versusFirst?.goodput.ratio], [null, null])
  })

  test('of an older version are told anew from its samples', () => {
    const steps = summarizeTaken([sample(1, 100), sample(2, 110)], [sample(1, 50), sample(2, 54)])
    const older = steps.map(step => ({ ...step, goodput: { median: 1, ci95: null }, versusFirst: null }))
    assert.deepEqual(summarizeAgain({ settings: {}, steps: older } as unknown as Results).steps, steps)
  })
})
