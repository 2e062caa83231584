import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { firstStep, lastStep } from '../../app/steps.ts'
import type { Load } from '../generator/protocol.ts'
import { toCosts } from './demands.ts'
import { fitModel } from './fit-model.ts'
import { type ModelledStep, predict, situationOf } from './model.ts'
import { near } from './near.fixture.ts'
import { pathOf } from './path.ts'
import { type MeasuredLoad, readModelInput } from './read-demands.ts'
import { makeRun } from './run.fixture.ts'
import { sizeStep } from './sizing.ts'
import { usualWindow } from './window.ts'
import { findBusiest } from './words.ts'

const SEED = 3
const input = readModelInput(makeRun([66, 200]))
const model = fitModel(input)
const [monolith, decomposed] = model.steps as readonly [ModelledStep, ModelledStep]
const closed = { ...situationOf(input, monolith.loads[0] as MeasuredLoad), apart: 8 }

describe('a run that is no source of a model', () => {
  const run = makeRun([])
  const refuse = (changes: Partial<typeof run>, settings: Partial<typeof run.settings> = {}) =>
    assert.throws(
      () => readModelInput({ ...run, ...changes, settings: { ...run.settings, ...settings } }),
      /no model can be made of this run/,
    )

  test('was interrupted, had a second load, pinned its parts, or kept its stacks', () => {
    refuse({ partial: true })
    refuse({}, { beside: 'cpu' })
    refuse({}, { pin: true })
    refuse({}, { keepsStacks: true })
  })
})

describe('the path of a request', () => {
  test('follows from the composition', () => {
    const paths = [firstStep, lastStep].map(({ composition }) => pathOf('demo', composition)?.works)
    assert.deepEqual(paths, ['mainThread', 'workers'])
    assert.equal(pathOf('page', lastStep.composition)?.works, 'rendering')
    assert.equal(pathOf('hello', lastStep.composition)?.fetches, null)
  })

  test('leads to the upstream from where the data is needed, if the composition says so', () => {
    const fetchesIn = (upstream: 'main' | 'threads', step = lastStep) =>
      pathOf('demo', { ...step.composition, upstream })?.fetches
    assert.equal(fetchesIn('threads'), 'workers')
    assert.equal(fetchesIn('main'), 'mainThread')
    assert.equal(fetchesIn('threads', firstStep), 'mainThread')
  })

  test('is unknown for a scenario of several routes, and for tasks outside of the process', () => {
    assert.equal(pathOf('mix', lastStep.composition), null)
    for (const compute of ['processes', 'nats'] as const)
      assert.equal(pathOf('demo', { ...lastStep.composition, compute }), null)
  })
})

describe('the costs of the model', () => {
  test('are higher the less there is to do', () => {
    const [saturated, cold] = decomposed.demands.map(({ use }) => use.mainThread)
    assert.ok(saturated && cold && cold.wakeups > 2 * saturated.wakeups && cold.heat < saturated.heat)
    const costAt = (load: Load) =>
      predict(model, decomposed, { ...closed, apart: null, load }).mainThreadMicros
    const costAtRate = (ratePerSecond: number) =>
      costAt({ kind: 'open', ratePerSecond, arrivals: 'poisson', seed: SEED })
    assert.ok(costAtRate(130) > 1.2 * costAt({ kind: 'closed' }))
    assert.ok(costAtRate(70) > 1.1 * costAtRate(130))
  })

  test('of the clients are those of the same kind of load', () => {
    const [ofClosed, ofOpen] = [true, false].map(isClosed => toCosts(decomposed.demands, isClosed))
    assert.ok(ofClosed && ofOpen)
    near(ofClosed.steady.clients.microsARequest, 60, 1e-6)
    assert.equal(ofClosed.steady.clients.microsASecond, 0)
    assert.ok(ofOpen.steady.clients.microsASecond > 0)
    assert.deepEqual(ofOpen.woken, ofClosed.woken)
    assert.deepEqual(ofOpen.woken.workers.measured, [1090, 1090 * 1.7])
  })

  test('belong to the threads and processes that the run names', () => {
    const { micros } = decomposed.demands[0] as ModelledStep['demands'][number]
    assert.equal(micros.workers, 1090)
    assert.equal(micros.helpers, 90)
    assert.equal(micros.upstream, 60)
  })
})

describe('the model', () => {
  test('agrees with the run that it is made of', () => {
    const predictions = model.steps.map(step => predict(model, step, { ...closed, apart: null }))
    for (const [index, { goodput, latencyMs }] of predictions.entries()) {
      const measured = model.steps[index]?.loads[0]
      near(goodput, measured?.goodput ?? Number.NaN, 0.1)
      near(latencyMs.p50, measured?.p50Ms ?? Number.NaN, 0.15)
    }
  })

  test('simulates the arrivals and the window of the sample', () => {
    const { load, window } = monolith.loads[1] as MeasuredLoad
    assert.deepEqual(load, { kind: 'open', ratePerSecond: 66, arrivals: 'poisson', seed: 2 })
    near(window.warmupMicros, 0.4e6, 1e-6)
    near(window.durationMicros, (2000 / 66) * 1e6, 1e-6)
  })

  test('lets more cores help until the main thread is busy all the time', () => {
    const goodputOn = (step: ModelledStep, cores: number) =>
      predict(model, step, { ...closed, cores, threads: Math.max(1, cores - 1) }).goodput
    near(goodputOn(monolith, 16) / goodputOn(monolith, 4), 1, 0.05)
    assert.ok(goodputOn(decomposed, 4) > 2 * goodputOn(decomposed, 2))
    near(goodputOn(decomposed, 64), 1e6 / 190, 0.1)
  })

  test('names the part of an instance that is busiest', () => {
    const busiestOn = (cores: number) =>
      findBusiest(predict(model, decomposed, { ...closed, cores, threads: Math.max(1, cores - 1) }))
    assert.deepEqual([1, 2, 64].map(busiestOn), ['cores', 'worker', 'main thread'])
  })

  test('answers at the rate of an open loop, and spends the measured CPU time', () => {
    const load = { kind: 'open', ratePerSecond: 200, arrivals: 'poisson', seed: SEED } as const
    const { goodput, mainThreadMicros, utilization } = predict(model, decomposed, {
      ...closed,
      load,
      window: usualWindow(load),
    })
    near(goodput, 200, 0.05)
    near(mainThreadMicros, 190 * 1.2, 0.15)
    assert.equal(utilization.rendering, null)
  })

  test('covers a composition whose workers fetch', () => {
    const goodputs = (['main', 'threads'] as const).map(upstream => {
      const step = { ...decomposed, composition: { ...decomposed.composition, upstream } }
      return predict(model, step, closed).goodput
    })
    near(goodputs[1] as number, goodputs[0] as number, 0.1)
  })

  test('says the same for the same seed', () => {
    const load = { kind: 'open', ratePerSecond: 300, arrivals: 'poisson', seed: SEED } as const
    const [one, other] = [1, 2].map(() =>
      predict(model, decomposed, { ...closed, load, window: usualWindow(load) }),
    )
    assert.deepEqual(one, other)
  })
})

describe('the size for a rate', () => {
  const wanted = { ratePerSecond: 2000, p99Ms: 100, seed: SEED }

  test('is a number of instances whose p99 is within the bound', () => {
    const { size } = sizeStep(model, monolith, wanted, [])
    assert.ok(size && size.instances >= 3 && size.p99Ms <= wanted.p99Ms)
    assert.equal(size.totalCores, size.instances * size.cores)
    assert.equal(size.bottleneck, 'cores')
  })

  test('is not limited by clients and upstream, which are on other machines', () => {
    const slow = decomposed.demands.map(demand => ({
      ...demand,
      micros: { ...demand.micros, clients: 5000, upstream: 5000 },
    }))
    const { size } = sizeStep(model, { ...decomposed, demands: slow }, wanted, [])
    assert.ok(size && wanted.ratePerSecond / size.instances > 300)
  })

  test('is unknown when a single request takes longer than the bound', () => {
    assert.equal(sizeStep(model, monolith, { ...wanted, p99Ms: 1 }, []).size, null)
  })
})
