import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLoad } from '../output/versus.ts'
import { type Block, compareBodies } from './bodies.ts'
import { compare } from './compare.ts'

const sample = (mainThreadMicros: number | null, bodies: readonly string[] = ['0 200 a']) => ({
  reason: null,
  responsesPerSecond: 1e6 / (mainThreadMicros ?? 200),
  mainThreadMicros,
  hasBusierChild: false,
  totalMicros: 200,
  wakeUps: 1,
  p50Ms: 1,
  p99Ms: 2,
  generatorUtilization: 0.5,
  bodies: new Map(bodies.map(body => [body, 1])),
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

test('a program that is not Node.js has no cost of a main thread', () => {
  const measures = compare(blocks([[null, 100]])).map(({ measure }) => measure)
  assert.ok(measures.includes('total CPU, µs/response'))
  assert.ok(!measures.some(measure => measure.startsWith('main thread')))
})

test('a side whose main-thread cost is not that of serving a request is told', () => {
  const after = { ...sample(1), hasBusierChild: true }
  const [remark, ...others] = describeLoad([{ before: sample(1), after }], undefined)
  assert.match(remark ?? '', /^after: main-thread cost is that of the process that listens/)
  assert.deepEqual(others, [])
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
