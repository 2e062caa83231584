import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Settings } from '../outcome/settings.ts'
import type { Sample } from '../sample/sample.ts'
import { calibrate, describeCalibration, poolSizes } from './calibration.ts'

const SIZES = [1, 2, 3]

/** A machine whose goodput is known for each size and attempt; null is refused. */
function machine(goodputs: Readonly<Record<number, readonly (number | null)[]>>) {
  const said: string[] = []
  const left = new Map(Object.entries(goodputs).map(([size, values]) => [Number(size), [...values]]))
  const take = async ({ app }: { app?: { threads?: number } }) => {
    const goodput = left.get(app?.threads as number)?.shift() ?? null
    return { valid: goodput !== null, reason: 'the machine was busy', goodput } as Sample
  }
  const options = { sizes: SIZES, rounds: 2, settings: {} as Settings, abort: new AbortController().signal }
  return { said, run: () => calibrate({ ...options, say: line => said.push(line) }, take) }
}

describe('the size of pools', () => {
  test('is the one with the best median, refused samples taken again', async () => {
    const { run, said } = machine({ 1: [500, null, 520], 2: [300, 900], 3: [560, 570] })
    const calibration = await run()
    assert.equal(calibration.chosen, 2)
    assert.deepEqual(calibration.sizes[0], { threads: 1, goodput: [500, 520] })
    assert.equal(said.length, 7)
    assert.equal(
      describeCalibration(calibration),
      'Pools have 2 threads, the size with the best goodput (1: 510, 2: 600, 3: 565 good responses a second).',
    )
  })

  test('is said of a single one that was asked for', () => {
    assert.equal(describeCalibration({ sizes: [], chosen: 1 }), 'Pools have 1 thread, as was asked for.')
  })

  test('is not found where nothing can be measured, and that is said', async () => {
    const { run } = machine({})
    await assert.rejects(run, /no size of a pool could be measured: the machine was busy/)
  })

  test('is tried over all sizes on few cores, over some on many', () => {
    assert.deepEqual(poolSizes(2), [1, 2])
    assert.deepEqual(poolSizes(16), [4, 8, 12, 15, 16])
  })
})
