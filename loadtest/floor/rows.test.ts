import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions } from '../../lib/cli/command-line.ts'
import { open } from '../commands/open.ts'
import { runRows } from '../commands/run.ts'

const NEVER = AbortSignal.abort()
const flags = (more: readonly string[]) => ['--floor', '--steps', '0', '--rounds', '1', ...more]
const plan = (...more: string[]) => runRows.plan(parseOptions(runRows.options, flags(more)).values, NEVER)
const planOpen = (...more: string[]) => open.plan(parseOptions(open.options, flags(more)).values, NEVER)

describe('the floor', () => {
  test('stands before the steps, alone and with a hop, and each row is compared with it', async () => {
    const { rows, settings } = await plan('--quick')
    assert.deepEqual(
      rows.map(({ name, floor }) => [name, floor]),
      [
        ['floor', 'bare'],
        ['floor+hop', 'hop'],
        ['monolith', undefined],
      ],
    )
    assert.deepEqual([settings.baseline, settings.keepsStacks, settings.spectrum], ['first', true, false])
  })

  test('of an open loop answers as many requests a second as the rows that it is compared with', async () => {
    const { rows } = await planOpen('--rate', '100,600')
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
})
