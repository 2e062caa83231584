import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { writeReport } from '../report/write.ts'
import type { Row } from '../sample/rows.ts'
import type { SampleSettings } from '../sample/settings.ts'
import { makePlan } from './make-plan.ts'
import { BLOCKS, inventedSource, makeInventedPlan, NEVER, planOptions } from './plan.fixture.ts'
import type { PlanResults } from './results.ts'

describe('a plan', () => {
  let plan: PlanResults
  before(async () => {
    plan = await makeInventedPlan()
  })

  test('has a row of the model for each step and number of cores, and a size for each step', () => {
    const { ladder, sizing, partial } = plan
    assert.deepEqual(
      ladder.map(({ name, cores, isModel }) => [name, cores, isModel]),
      ['monolith', inventedSource.input.steps.at(-1)?.name].flatMap(name => [
        [name, 2, true],
        [name, 8, true],
      ]),
    )
    assert.equal(sizing?.rows.length, 2)
    assert.equal(partial, false)
    const [onTwo, onEight] = ladder
    assert.equal(onTwo?.measured?.goodput, 660)
    assert.equal(onEight?.measured, null)
  })

  test('is compared with a sample of every cell, each under its own load', async () => {
    const taken: [Row, SampleSettings][] = []
    const [step] = inventedSource.results.steps
    const sample = step?.samples[0]
    assert.ok(sample)
    const take = async (row: Row, round: number, settings: SampleSettings) => {
      taken.push([row, settings])
      return { ...sample, round }
    }
    const saved: PlanResults[] = []
    const validating = { ...planOptions, validate: true, wanted: null }
    const results = await makePlan(inventedSource, validating, NEVER, {
      save: each => saved.push(each),
      take,
    })
    assert.ok(results.validation && results.validation.length >= 24)
    const sections = BLOCKS * new Set(results.validation.map(({ cores }) => cores)).size
    const costSamples = 4 * sections
    assert.equal(taken.length, results.validation.length + costSamples)
    assert.equal(saved.at(-1)?.partial, false)
    assert.ok(saved.slice(0, -1).every(({ partial }) => partial))
    assert.deepEqual(
      [...new Set(taken.map(([{ ratePerSecond }]) => ratePerSecond))],
      [undefined, 66, 198, 396, 594],
    )
    assert.deepEqual([...new Set(taken.map(([, { connections }]) => connections))], [50, 20, 5])
    assert.ok(results.ladder.some(({ error }) => error !== null))

    const ofSection = results.validation.length / sections
    const earlier = results.validation.slice(0, ofSection)
    const again = await makePlan(inventedSource, { ...validating, earlier }, NEVER, {
      save: () => {},
      take,
    })
    assert.deepEqual(again.validation, results.validation)
    assert.equal(taken.length, (2 - 1 / sections) * (results.validation.length + costSamples))
  })

  test('leaves a step of a block out whose costs were refused, until it goes on', async () => {
    const [sample] = inventedSource.results.steps[0]?.samples ?? []
    assert.ok(sample)
    const validating = { ...planOptions, validate: true, wanted: null, cores: [2] }
    const validateWith = (refused: number | undefined, earlier = validating.earlier) =>
      makePlan(inventedSource, { ...validating, earlier }, NEVER, {
        save: () => {},
        take: async ({ ratePerSecond }, round) =>
          round === 2 && ratePerSecond === refused
            ? { ...sample, round, valid: false, reason: 'no answer' }
            : { ...sample, round },
      })
    const { validation } = await validateWith(66)
    assert.deepEqual([...new Set(validation?.map(({ round }) => round))], [1])
    const again = await validateWith(0, validation ?? [])
    assert.equal(again.validation?.length, 2 * (validation?.length ?? 0))
  })

  test('is not validated when all samples are refused', async () => {
    const sample = inventedSource.results.steps[0]?.samples[0]
    assert.ok(sample)
    const take = async () => ({ ...sample, valid: false, reason: 'no answer', goodput: 0 })
    const validating = { ...planOptions, validate: true }
    await assert.rejects(
      makePlan(inventedSource, validating, NEVER, { save: () => {}, take }),
      /no cell could be validated/,
    )
  })

  test('is validated as its own options say, whatever the run accepted', async () => {
    const [sample] = inventedSource.results.steps[0]?.samples ?? []
    assert.ok(sample)
    const { results, ...source } = inventedSource
    const lenient = { ...results, settings: { ...results.settings, acceptNoise: true } }
    const accepted = new Set<boolean | undefined>()
    const take = async (_row: Row, _: number, settings: SampleSettings) => {
      accepted.add(settings.acceptNoise)
      return sample
    }
    const validating = { ...planOptions, validate: true, wanted: null, cores: [2] }
    await makePlan({ ...source, results: lenient }, validating, NEVER, { save: () => {}, take })
    assert.deepEqual([...accepted], [false])
  })

  test('is marked as a model in its report, which has the ladder over cores', async t => {
    const directory = mkdtempSync(join(tmpdir(), 'plan-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const page = readFileSync(await writeReport(plan, directory, { slides: false }), 'utf8')
    assert.match(page, /<h2 id="ladder-over-cores">Goodput on more cores: a model<\/h2>/)
    const markdown = readFileSync(join(directory, 'report.md'), 'utf8')
    assert.match(markdown, /goodput\/s \(model\)/)
    assert.match(markdown, /The fewest cores for 1000 requests a second with a p99 of 300 ms: a model/)
  })
})
