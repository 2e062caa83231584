import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { concerns, namesOf } from './concerns.ts'
import { steps } from './steps.ts'

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
})
