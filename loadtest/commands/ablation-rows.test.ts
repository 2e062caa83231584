import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastStep, steps } from '../../app/steps.ts'
import { ablationRows } from './ablation-rows.ts'

describe('the rows', () => {
  test('of an ablation are the last step and it with each concern put back alone', () => {
    const [first, ...others] = ablationRows(lastStep)
    assert.deepEqual([first?.name, first?.number], ['rendering', steps.length - 1])
    assert.deepEqual(
      others.map(({ name }) => name),
      [
        'rendering+framework=express',
        'rendering+compute=inline',
        'rendering+serialization=native',
        'rendering+logging=winston',
        'rendering+apm=opentelemetry',
        'rendering+rendering=string',
      ],
    )
  })
})
