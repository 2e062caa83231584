import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Composition, concerns } from './concerns.ts'
import { lastStep, nameComposition, steps } from './steps.ts'

describe('the steps', () => {
  for (const { number, name, composition } of steps.slice(1))
    test(`${number}, ${name}, differs from the one before in that concern only`, () => {
      const before = steps[number - 1]?.composition
      assert.deepEqual(
        concerns.filter(concern => composition[concern] !== before?.[concern]),
        [name],
      )
    })

  test('name their composition, and any other one by its differences from the nearest step', () => {
    for (const { name, composition } of steps) assert.equal(nameComposition(composition), name)
    const [one, two] = concerns
    const near = { ...lastStep.composition, [one as string]: 'new' } as Composition
    assert.equal(nameComposition(near), `step ${lastStep.number}, ${one}: new`)
    const far = { ...near, [two as string]: 'newer' } as Composition
    assert.equal(nameComposition(far), `step ${lastStep.number}, ${one}: new, ${two}: newer`)
  })
})
