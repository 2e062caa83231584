import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { concerns } from '../../app/concerns.ts'
import { firstStep, lastStep, steps } from '../../app/steps.ts'
import { ablated } from './compared-rows.ts'

describe('the rows', () => {
  test('of an ablation are the last step and it with each concern put back alone', () => {
    const [first, ...others] = ablated(lastStep)
    assert.deepEqual([first?.name, first?.number], [lastStep.name, steps.length - 1])
    assert.deepEqual(
      others.map(({ name }) => name),
      concerns.map(concern => `${lastStep.name}+${concern}=${firstStep.composition[concern]}`),
    )
  })
})
