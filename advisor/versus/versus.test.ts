import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../lib/random.ts'
import { mean } from '../../loadtest/statistics/estimate.ts'
import { drawNormal } from '../../loadtest/statistics/simulated-run.fixture.ts'
import { compareBodies } from './bodies.ts'
import { compare } from './compare.ts'
import type { Block, Sample } from './running-side.ts'

const sample = (mainThreadMicros: number | null, bodies: readonly string[] = ['0 200 a']) => ({
  reason: null,
  responsesPerSecond: 1e6 / (mainThreadMicros ?? 200),
  mainThreadMicros,
  totalMicros: 200,
  p50Ms: 1,
  p99Ms: 2,
  generatorMicros: 50,
  generatorUtilization: 0.5,
  bodies: new Map(bodies.map(body => [body, 1])),
  turns: [] as Sample['turns'],
})
const blocks = (pairs: readonly (readonly [number | null, number | null])[]): Block[] =>
  pairs.map(([before, after]) => ({ before: sample(before), after: sample(after) }))

test('a change is told with its verdict, and the noise that both sides of a block share cancels out', () => {
  const slowdowns = [1, 1.5, 1.2, 2, 1.1, 1.3, 1.7, 1]
  const noise = [1, 1.01, 0.99, 1.005, 0.995, 1, 1.01, 0.99]
  const pairs = slowdowns.map((slow, index) => [100 * slow, 80 * slow * (noise[index] as number)] as const)
  const [main] = compare(blocks(pairs))
  assert.equal(main?.ratio.verdict, 'faster')
  assert.equal(main?.ratio.ratio?.toFixed(2), '0.80')
})

test('noise of one side that the load generator shows too is taken out, unless its own cost depends on the side', () => {
  const slow = [1, 1.3, 1.1, 1.2, 1.05, 1.4, 1.15, 1.25, 1.35]
  const rest = [1, 1.01, 0.99, 1.005, 0.995, 1, 1.01, 0.99, 1]
  const compareWith = (dependence: number) =>
    compare(
      slow.map((factor, index) => ({
        before: { ...sample(100 * (rest[index] as number)), generatorMicros: 50 },
        after: { ...sample((105 / 1.2) * factor), generatorMicros: (50 / 1.2) * factor * dependence },
      })),
    )[0]?.ratio
  const adjusted = compareWith(1)
  assert.equal(adjusted?.verdict, 'slower')
  assert.equal(adjusted?.adjustment?.decides, true)
  assert.ok(!adjusted?.adjustment?.raw.ci95?.every(end => end > 1))
  assert.equal(compareWith(2)?.adjustment, undefined)
})

test('six blocks are enough to take out the noise that their turns show in both programs', () => {
  const random = seededRandom(7)
  const blocksWith = (turnsTell: boolean) =>
    Array.from({ length: 6 }, () => {
      const side = (micros: number) => {
        const turns = Array.from({ length: 40 }, () => {
          const slow = drawNormal(random) * 0.3
          const [main, generator] = [micros * Math.exp(slow / 2), 50 * Math.exp(slow)]
          return { mainMicros: 100 * main, generatorMicros: 100 * generator, responses: 100 }
        })
        const meanOf = (key: 'mainMicros' | 'generatorMicros') => mean(turns.map(turn => turn[key] / 100))
        const [mainMicros, generatorMicros] = [meanOf('mainMicros'), meanOf('generatorMicros')]
        return { ...sample(mainMicros), generatorMicros, turns: turnsTell ? turns : [] }
      }
      return { before: side(100), after: side(103) }
    })
  const widthOf = (turnsTell: boolean) => {
    const { ci95 } = compare(blocksWith(turnsTell))[0]?.ratio ?? {}
    return ci95 ? Math.log(ci95[1] / ci95[0]) : Number.NaN
  }
  assert.ok(widthOf(true) < widthOf(false) / 2)
})

test('a program that is not Node.js has no cost of a main thread', () => {
  const measures = compare(blocks([[null, 100]])).map(({ measure }) => measure)
  assert.ok(measures.includes('total CPU, µs/response'))
  assert.ok(!measures.some(measure => measure.startsWith('main thread')))
})

const withBodies = (before: readonly string[], after: readonly string[]): Block[] => [
  { before: sample(1, before), after: sample(1, after) },
]

test('bodies that differ refuse the comparison, and bodies that vary on both sides are not compared', () => {
  assert.match(compareBodies(withBodies(['0 200 a'], ['0 200 a'])), /same body/)
  assert.match(compareBodies(withBodies(['0 200 a', '0 200 b'], ['0 200 b', '0 200 a'])), /same 2 bodies/)
  assert.match(compareBodies(withBodies(['0 200 a', '0 200 b'], ['0 200 c', '0 200 d'])), /vary/)
  // A request that came to one side alone is no difference.
  assert.match(compareBodies(withBodies(['0 200 a', '1 200 b'], ['0 200 a'])), /same body/)
  assert.throws(() => compareBodies(withBodies(['0 200 a'], ['0 200 b'])), { name: 'UserError' })
  assert.throws(() => compareBodies(withBodies(['0 200 a'], ['0 500 a'])), { name: 'UserError' })
  assert.throws(() => compareBodies(withBodies(['0 200 a'], ['0 200 a', '0 200 b'])), { name: 'UserError' })
})
