import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachPart } from '../demands.ts'
import type { ModelledStep } from '../model.ts'
import { atSpeed, slowdownOf } from './at-speed.ts'

const use = forEachPart(() => ({ wakeups: 1, heat: 1 }))
const demand = (micros: number) => ({ isClosed: true, micros: forEachPart(() => micros), use })
const step = { name: 'a step', demands: [demand(100), demand(300)] } as unknown as ModelledStep

/** CPU microseconds of constant work on core 0 and on core 1. */
const work = (...micros: readonly number[]) => new Map(micros.entries())
const fast = work(900, 1100)
const slow = work(2000, 2000)

test('costs follow the speed of another sample by its square root, each from the speed of its own', () => {
  const { demands } = atSpeed(step, [fast, slow], work(4000, 4000), null)
  assert.deepEqual(
    demands.map(({ micros: { mainThread, clients } }) => [mainThread, clients]),
    [
      [200, 200],
      [300 * Math.SQRT2, 300 * Math.SQRT2],
    ],
  )
  assert.equal(slowdownOf([fast, slow], work(1500, 1500), null), 1)
})

test('a stack that is kept on some cores has their speed, and clients and upstream that of the others', () => {
  const { demands } = atSpeed(step, [fast, fast], work(250, 4000), [0])
  const { mainThread, workers, clients, upstream } = demands[0]?.micros ?? {}
  assert.deepEqual([mainThread, workers, clients, upstream], [50, 50, 200, 200])
  assert.equal(slowdownOf([fast, fast], work(500, 3000), [0]), 0.5)
})
