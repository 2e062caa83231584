import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { median, summarize } from './results.ts'
import { selectRows } from './rows.ts'
import type { Sample } from './sample.ts'

const sample = (mainThreadMicros: number, valid = true) =>
  ({
    valid,
    mainThreadMicros,
    goodput: 1000 / mainThreadMicros,
    totalMicros: mainThreadMicros ** 2,
  }) as Sample

describe('results', () => {
  test('have the middle value as median', () => {
    assert.deepEqual([[], [3], [9, 100, 10], [4, 1, 3, 2]].map(median), [null, 3, 10, 2.5])
  })

  test('compare each row with the one above and with the first, by its valid samples', () => {
    const rows = selectRows('0-2', undefined, {})
    const [first, second, third] = summarize(
      rows,
      new Map([
        [rows[0] as (typeof rows)[0], [sample(100), sample(1, false), sample(300)]],
        [rows[1] as (typeof rows)[0], [sample(50)]],
        [rows[2] as (typeof rows)[0], [sample(25)]],
      ]),
    )
    assert.equal(first?.samples.length, 3)
    assert.deepEqual(first?.mainThreadMicros, { median: 200 })
    assert.deepEqual(second?.ceiling, { median: 20_000 })
    assert.deepEqual([first?.versusPrevious, first?.versusFirst], [null, null])
    assert.deepEqual(third?.versusPrevious, {
      mainThreadMicros: { ratio: 0.5 },
      goodput: { ratio: 2 },
      totalMicros: { ratio: 0.25 },
    })
    assert.equal(third?.versusFirst?.mainThreadMicros.ratio, 0.125)
  })

  test('claim nothing of a row without a valid sample', () => {
    const rows = selectRows('0-1', undefined, {})
    const [, second] = summarize(rows, new Map([[rows[0] as (typeof rows)[0], [sample(1)]]]))
    assert.deepEqual(second?.goodput, { median: null })
    assert.deepEqual(second?.versusFirst?.goodput, { ratio: null })
  })
})
