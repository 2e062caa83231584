import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupLanes, meanShare } from './page/lane-groups.ts'

const threads = (kind: string, ...numbers: number[]) => numbers.map(number => `${kind} ${number}`)
const told = (names: readonly string[]) => ({
  lanes: names.map((name, index) => ({ name, share: index / 4 })),
})

describe('the lanes of threads', () => {
  test('are one for each thread of a small pool, and a folded one for four threads and more', () => {
    const groups = groupLanes(
      [told(['main', ...threads('compute', 1, 2, 3), ...threads('rendering', 1, 2, 3, 4)])],
      4,
    )
    assert.deepEqual(
      groups.map(({ kind, names, isFolded }) => [kind, names.length, isFolded]),
      [
        ['main', 1, false],
        ['compute', 3, false],
        ['rendering', 4, true],
      ],
    )
  })

  test('fold the threads of all instances, in the order of their numbers', () => {
    const instances = [10, 2, 1].flatMap(number => [
      `${number}: main`,
      `${number}: compute 1`,
      `${number}: compute 2`,
    ])
    const [main, compute] = groupLanes([told(instances)], 4)
    assert.deepEqual([main?.names, main?.isFolded], [['1: main', '2: main', '10: main'], false])
    assert.deepEqual(
      [compute?.names.at(0), compute?.names.length, compute?.isFolded],
      ['1: compute 1', 6, true],
    )
  })

  test('show the mean share of a fold', () => {
    const names = threads('compute', 1, 2, 3)
    assert.equal(meanShare(told(['main', ...names]), new Set(names)), 0.5)
    assert.equal(meanShare(told(['main']), new Set(names)), null)
  })
})
