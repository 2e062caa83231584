import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seededRandom } from '../../lib/random.ts'
import { isCheck, isNarrow } from './looks.ts'
import type { Interval } from './median.ts'
import { pairedRatio, type Ratio } from './ratio.ts'
import { drawNormal } from './simulated-run.fixture.ts'
import { NARROW } from './thresholds.ts'

/**
 * Runs that never happened, with noise like ours: a block drifts by 20 %, the machine wanders from sample to sample,
 * every sample scatters by `scatter`, and a spiky machine lets one sample of ten suffer up to some times as much.
 */
interface Noise {
  readonly scatter: number
  readonly spiky: boolean
}

const DRIFT = 0.2
const RUNS = 1000
const MOST_BLOCKS = 40
const even = (scatter: number): Noise => ({ scatter, spiky: false })
const spiky = (scatter: number): Noise => ({ scatter, spiky: true })

/** Three standard errors of a share of `RUNS`: how far a simulation's share may stray from the truth. */
const strayOf = (share: number) => 3 * Math.sqrt((share * (1 - share)) / RUNS)

function simulateBlocks(random: () => number, { scatter, spiky }: Noise, truth: number): Interval[] {
  const normal = () => drawNormal(random)
  let wander = 0
  const sample = () => {
    wander = 0.7 * wander + 0.3 * scatter * normal()
    const spike = spiky && random() < 0.1 ? 4 * scatter * Math.abs(normal()) : 0
    return wander + scatter * normal() + spike
  }
  return Array.from({ length: MOST_BLOCKS }, () => {
    const block = 500 * Math.exp(DRIFT * normal())
    const drawn = [sample(), sample()] as const
    const [own, other] = random() < 0.5 ? drawn : [drawn[1], drawn[0]]
    return [truth * block * Math.exp(own), block * Math.exp(other)]
  })
}

const fixed = (blocks: number) => (pairs: readonly Interval[]) => pairedRatio(pairs.slice(0, blocks), 'lower')

/** Stops as a run does. */
function untilNarrow(pairs: readonly Interval[]): Ratio {
  for (let blocks = 1; blocks < pairs.length; blocks++) {
    if (!isCheck(blocks)) continue
    const ratio = pairedRatio(pairs.slice(0, blocks), 'lower')
    if (isNarrow(ratio.ci95, NARROW)) return ratio
  }
  return pairedRatio(pairs, 'lower')
}

function simulate(noise: Noise, truth: number, analyse: (pairs: readonly Interval[]) => Ratio): Ratio[] {
  const random = seededRandom(20_260_801)
  return Array.from({ length: RUNS }, () => analyse(simulateBlocks(random, noise, truth)))
}

const shareOf = (ratios: readonly Ratio[], holds: (ratio: Ratio) => boolean) =>
  ratios.filter(holds).length / ratios.length
const holds = (truth: number) => (ratio: Ratio) =>
  ratio.ci95 !== null && ratio.ci95[0] <= truth && ratio.ci95[1] >= truth
const isDifferent = ({ verdict }: Ratio) => verdict === 'faster' || verdict === 'slower'

describe('the 95 % interval, in simulated runs with drift, wandering and spikes,', () => {
  const medium = [even(0.04), spiky(0.04)]
  for (const [how, analyse, noises] of [
    ['of 5 blocks', fixed(5), medium],
    ['of 8 blocks', fixed(8), medium],
    ['of 20 blocks', fixed(20), medium],
    [
      'of as many as make it narrow',
      untilNarrow,
      [0.015, 0.03, 0.06].flatMap(each => [even(each), spiky(each)]),
    ],
  ] as const) {
    for (const noise of noises) {
      const what = `${noise.scatter * 100} % scatter${noise.spiky ? ' and spikes' : ''}`
      test(`${how}, at ${what}, holds the truth 95 times of 100, and a row against itself differs at most 5 times`, t => {
        const ratios = simulate(noise, 1, analyse)
        const coverage = shareOf(ratios, holds(1))
        const wrong = shareOf(ratios, isDifferent)
        t.diagnostic(
          `coverage ${(coverage * 100).toFixed(1)} %, false verdicts ${(wrong * 100).toFixed(1)} %`,
        )
        assert.ok(coverage >= 0.95, `covers ${coverage}`)
        assert.ok(wrong <= 0.05, `${wrong} false verdicts`)
      })
    }
  }
})

describe('verdicts of simulated runs', () => {
  test('call a true change of the band’s width equivalent at most 5 times of 100', () => {
    for (const noise of [even(0.015), spiky(0.015)]) {
      const ratios = simulate(noise, 1.02, untilNarrow)
      assert.ok(shareOf(ratios, ({ verdict }) => verdict === 'equivalent') <= 0.05)
    }
  })

  test('find a change of the smallest detectable size four times of five, and one of half the size less often', () => {
    for (const noise of [even(0.03), spiky(0.03)]) {
      const analyse = fixed(20)
      const effects = simulate(noise, 1, analyse).map(ratio => ratio.smallestDetectableEffect as number)
      const effect = effects.toSorted((a, b) => a - b)[RUNS >> 1] as number
      const found = shareOf(simulate(noise, 1 + effect, analyse), isDifferent)
      assert.ok(Math.abs(found - 0.8) < 0.05 + strayOf(0.8), `${found} found of ${effect}`)
      assert.ok(shareOf(simulate(noise, 1 + effect / 2, analyse), isDifferent) < 0.5)
    }
  })
})
