import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planCells } from './cells.ts'

/** `clients × payload: lengths` of each implementation. */
function linesOf(axes: Parameters<typeof planCells>[0]) {
  const lines: Record<string, Record<string, number[]>> = {}
  for (const { compute, concurrency, payloadBytes, lengthMicros } of planCells(axes)) {
    const line = `${concurrency} × ${payloadBytes}`
    lines[compute] ??= {}
    lines[compute][line] ??= []
    lines[compute][line].push(lengthMicros)
  }
  return lines
}

describe('the grid', () => {
  const axes = {
    lengthsMicros: [10, 30, 100, 300, 100_000],
    payloadsBytes: [100, 1000, 10_000],
    concurrencies: [1, 400],
  }

  test('has the smallest payload at every length, and larger ones at every third', () => {
    assert.deepEqual(linesOf(axes).inline, {
      '1 × 100': [10, 30, 100, 300, 100_000],
      '400 × 100': [10, 30, 100],
      '1 × 1000': [10, 300],
      '1 × 10000': [10, 300],
    })
  })

  test('is the same for every implementation', () => {
    const { inline, threads, processes } = linesOf(axes)
    assert.deepEqual(threads, inline)
    assert.deepEqual(processes, inline)
  })

  test('leaves no line out whose only length is long, of one client', () => {
    const one = { lengthsMicros: [500_000], payloadsBytes: [100], concurrencies: [1] }
    assert.deepEqual(linesOf(one).inline, { '1 × 100': [500_000] })
  })
})
