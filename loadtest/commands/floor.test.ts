import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions } from '../../lib/cli/command-line.ts'
import { floor } from './floor.ts'

const plan = (...flags: string[]) =>
  floor.plan(
    parseOptions(floor.options, ['--steps', '0', '--rounds', '1', ...flags]).values,
    AbortSignal.abort(),
  )

describe('the command floor', () => {
  test('saturates the floor, the floor with a hop, and the steps', async () => {
    const { rows } = await plan()
    assert.deepEqual(
      rows.map(({ name, floor, ratePerSecond }) => [name, floor, ratePerSecond]),
      [
        ['floor', 'bare', undefined],
        ['floor+hop', 'hop', undefined],
        ['monolith', undefined, undefined],
      ],
    )
  })

  test('compares each row with the floor that answers as many requests a second', async () => {
    const { rows } = await plan('--rate', '100,600')
    assert.deepEqual(
      rows.map(({ name, ratePerSecond, baseline }) => [name, ratePerSecond, baseline]),
      [
        ['floor at 100/s', 100, 'floor at 100/s'],
        ['floor+hop at 100/s', 100, 'floor at 100/s'],
        ['monolith at 100/s', 100, 'floor at 100/s'],
        ['floor at 600/s', 600, 'floor at 600/s'],
        ['floor+hop at 600/s', 600, 'floor at 600/s'],
        ['monolith at 600/s', 600, 'floor at 600/s'],
      ],
    )
  })

  test('keeps the stacks of a quick run, unless the requests come at a rate', async () => {
    assert.equal((await plan('--quick')).settings.keepsStacks, true)
    assert.equal((await plan('--quick', '--rate', '100')).settings.keepsStacks, undefined)
  })
})
