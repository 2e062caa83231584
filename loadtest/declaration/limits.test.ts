import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Results } from '../outcome/results.ts'
import { countColumns } from './columns.ts'
import { describeLimits } from './limits.ts'

const calm = { stealShare: 0, othersShare: 0.01, frequencyMhz: 3000 }
const open = { ratio: 1.02, ci95: [0.96, 1.08], verdict: 'inconclusive' }
const resultsWith = (
  ratio: object,
  machine: object = calm,
  sample: object = { constantMicros: {} },
): Results => {
  const samples = [{ valid: true, machine, ...sample }]
  return {
    settings: { baseline: 'previous', narrowPercent: 1.5 },
    steps: [
      { name: 'one', samples, versusPrevious: null },
      { name: 'two', samples, versusPrevious: { mainThreadMicros: ratio } },
    ],
  } as unknown as Results
}

describe('what limited a run', () => {
  const cases: readonly [string, Results, RegExp[]][] = [
    ['is its length on a calm machine', resultsWith(open), [
      /^This run cannot tell 1 of 1 main-thread ratios; the widest is known to ±6.1 %. On a machine like this, ±1.5 % takes about 17 times as many blocks/,
      /^In most samples, neither the host nor other programs/,
    ]], // biome-ignore format: a table
    ['is no longer run where it would take too long', resultsWith({ ...open, ci95: [0.5, 2] }), [/too noisy for ±1.5 %/, /./]], // biome-ignore format: a table
    ['is nothing where each ratio has a verdict', resultsWith({ ...open, verdict: 'slower' }), [/^This run decides each main-thread ratio; the widest is known to ±6.1 %\.$/, /./]], // biome-ignore format: a table
    ['is too few blocks', resultsWith({ ...open, ci95: null }), [/there are too few blocks/, /./]],
    ['is the host, and other programs', resultsWith(open, { stealShare: 0.03, othersShare: 0.2, frequencyMhz: 3000 }), [/./, /^The host took 3.0 %/, /^Other programs used 20 %/]], // biome-ignore format: a table
    ['is not said of results that did not record it', resultsWith(open, calm, {}), []],
  ]
  for (const [what, results, sentences] of cases) {
    test(what, () => {
      const said = describeLimits(results)
      assert.equal(said.length, sentences.length, said.join('\n'))
      for (const [index, sentence] of sentences.entries()) assert.match(said[index] as string, sentence)
    })
  }

  test('is that each stack was started once, with --quick', () => {
    const results = resultsWith(open)
    const kept = { ...results, settings: { ...results.settings, keepsStacks: true } }
    assert.match(
      describeLimits(kept)[0] as string,
      /±6.1 %. Each stack was started once, .* leave out --quick/,
    )
  })

  test('is also a frequency that changes', () => {
    const results = resultsWith(open)
    const [first, second] = results.steps as [object, object]
    const slow = {
      ...second,
      samples: [{ valid: true, constantMicros: {}, machine: { ...calm, frequencyMhz: 2000 } }],
    }
    const said = describeLimits({ ...results, steps: [first, slow] } as unknown as Results)
    assert.match(said[1] as string, /^The cores ran at 2000 to 3000 MHz/)
  })
})

describe('the counts of the main thread', () => {
  test('are those that samples have, and none in results of earlier versions', () => {
    const known = { median: 2048, ci95: null }
    const results = {
      settings: { baseline: 'first' },
      steps: [{ number: 1, name: 'one', allocatedBytes: known }],
    }
    const columns = countColumns(results as unknown as Results)
    assert.deepEqual(columns.map(({ title }) => title), ['step', 'KiB allocated', '× first', 'verdict']) // biome-ignore format: short
    assert.equal(columns[1]?.cell(results.steps[0] as never), '2.0')
    assert.deepEqual(countColumns({ ...results, steps: [{ name: 'one' }] } as unknown as Results), [])
  })
})
