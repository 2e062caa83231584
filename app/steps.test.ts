import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Composition, concerns, namesOf } from './concerns.ts'
import { lastStep, nameComposition, steps } from './steps.ts'

describe('the steps', () => {
  for (const [index, { name, composition }] of steps.entries()) {
    test(`${index}, ${name}, names an existing implementation for every concern`, () => {
      for (const concern of concerns) {
        assert.ok(
          (namesOf(concern) as string[]).includes(composition[concern]),
          `${concern} ${composition[concern]}`,
        )
      }
    })

    const below = steps[index - 1]
    if (!below) continue
    test(`${index}, ${name}, differs from ${below.name} in that concern only`, () => {
      const changed = concerns.filter(concern => composition[concern] !== below.composition[concern])
      assert.deepEqual(changed, [name])
    })
  }

  test('name their composition, and any other one by its differences from the nearest step', () => {
    for (const { name, composition } of steps) assert.equal(nameComposition(composition), name)
    const [one, two] = concerns
    const near = { ...lastStep.composition, [one as string]: 'new' } as Composition
    assert.equal(nameComposition(near), `step ${lastStep.number}, ${one}: new`)
    const far = { ...near, [two as string]: 'newer' } as Composition
    assert.equal(nameComposition(far), `step ${lastStep.number}, ${one}: new, ${two}: newer`)
  })
})
