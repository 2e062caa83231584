import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { steps } from '../../../app/steps.ts'
import type { Results } from '../../outcome/results.ts'
import { summarizeRows } from '../../outcome/summarize.ts'
import { type Row, rowOf } from '../../sample/rows.ts'
import type { CoresUse, Sample } from '../../sample/sample.ts'
import { equalCoresRows } from '../equal-cores.ts'
import { describeCores, findBottleneck, overCoresColumns, stepsOnCores } from './presentation.ts'
import { onCores, realCores, slowCores, speedFor } from './rows.ts'
import { compareReadings } from './take.ts'

const ladder = steps.map(step => rowOf(step, {}))
const [first, last] = [ladder[0] as Row, ladder.at(-1) as Row]

/** Five blocks, whose goodput scatters by a thousandth. */
function resultsOf(
  rows: readonly Row[],
  goodput: (row: Row, index: number) => number,
  use?: CoresUse,
): Results {
  const sampleOf = (row: Row, index: number, round: number) => ({
    ...{ round, valid: true, reason: null, mainThreadMicros: 100, totalMicros: 800 },
    latencyMs: { p50: 1, p99: 2 },
    goodput: goodput(row, index) * (1 + Math.sin(round + index * index) * 0.001),
    mainThreadUtilization: 0.43,
    ...(use && { cores: use }),
  })
  const samples = rows.map(
    (row, index) => [row, [1, 2, 3, 4, 5].map(round => sampleOf(row, index, round))] as const,
  )
  const settings = { scenario: 'demo', baseline: 'previous', rounds: 5 }
  return {
    settings,
    steps: summarizeRows(rows, new Map(samples) as unknown as Map<Row, Sample[]>),
  } as unknown as Results
}

describe('slow cores', () => {
  test('take half of the machine, and none is faster than half of a real core', () => {
    assert.deepEqual(
      [1, 2, 8, 16].map(count => speedFor(count, 2)),
      [0.5, 0.5, 0.125, 0.0625],
    )
    assert.equal(speedFor(8, 64), 0.5)
  })

  test('have every step with as many threads, against the first step there', () => {
    assert.deepEqual(
      onCores([first, last], slowCores(4)).map(({ name, baseline, app, cores }) => [
        ...[name, baseline, app?.threads],
        ...[cores?.count, cores?.speed],
      ]),
      [first, last].map(({ name }) => [
        ...[`${name} at 4 cores`, `${first.name} at 4 cores`, 4],
        ...[4, speedFor(4)],
      ]),
    )
    assert.equal(onCores([first], realCores(2))[0]?.cores?.speed, 1)
  })

  test('are used by the CPU time of their threads, as a share of what a slow core gives', () => {
    const thread = (thread: string, ranNs: number) => ({ process: 'app', thread, ranNs })
    const before = new Map([
      ['1', thread('main', 5e6)],
      ['2', thread('worker', 0)],
    ])
    const after = new Map([
      ['1', thread('main', 105e6)],
      ['2', thread('worker', 50e6)],
      ['3', thread('worker', 100e6)],
    ])
    assert.deepEqual(compareReadings(before, after, 1000, { count: 4, speed: 0.1 }), {
      all: 0.625,
      threads: [
        { process: 'app', thread: 'main', count: 1, mean: 1, busiest: 1 },
        { process: 'app', thread: 'worker', count: 2, mean: 0.75, busiest: 1 },
      ],
    })
  })
})

test('the ways to use equal cores are a monolith each, threads of one app, and both, unless that is the same', () => {
  const waysOn = (cores: number, threads: number) => equalCoresRows(cores, threads).map(({ app }) => app)
  const monoliths = (instances: number) => ({ instances })
  assert.deepEqual(waysOn(4, 3), [monoliths(4), { threads: 3 }, { instances: 4, threads: 1 }])
  assert.deepEqual(waysOn(1, 2), [monoliths(1), { threads: 2 }, { instances: 1, threads: 1 }])
  assert.deepEqual(waysOn(1, 1), [monoliths(1), { threads: 1 }])
})

describe('a run on several numbers of cores', () => {
  const use = (all: number, main: number): CoresUse => ({
    all,
    threads: [{ process: 'app', thread: 'node-MainThread', count: 1, mean: main, busiest: main }],
  })

  test('finds the bottleneck: the part that uses most of its core, or all cores together', () => {
    const found = (cores?: CoresUse) => findBottleneck(resultsOf([first], () => 100, cores).steps[0] as never)
    assert.deepEqual(found(use(0.3, 0.99)), { name: 'main thread', share: 0.99 })
    assert.deepEqual(found(use(0.98, 0.4)), { name: 'all cores', share: 0.98 })
    assert.equal(found(), null)
  })

  test('says the gain of the last step, and the steps that serve less', () => {
    const rows = onCores(ladder, slowCores(8, 0.125))
    const goodputs = [100, 500, 400, 500, 600, 600, 700, 690]
    const [said = ''] = describeCores(
      resultsOf(rows, (_, index) => goodputs[index] as number, use(0.3, 0.99)),
    )
    assert.match(
      said,
      /^8 cores in slow motion, each at 12\.5 % of a real one\. Step 7 upstream serves 6\.9 .* step 7 upstream is busy for 43 %\./,
    )
    assert.match(said, /Less than the step before: step 2 serialization 0\.80 \[0\.80, 0\.80\]\.$/)
  })

  test('has a table of the documents with a line for each step', () => {
    const rows = [2, 8].flatMap(count => onCores(ladder, slowCores(count)))
    const results = resultsOf(rows, ({ cores, number }) => (cores?.count ?? 0) * (10 + (number ?? 0)))
    const columns = overCoresColumns(results.steps)
    const cells = stepsOnCores(results.steps).map(step => columns.map(({ cell }) => cell(step)))
    assert.deepEqual(
      columns.map(({ title }) => title),
      ['step', 'goodput/s on 2', 'goodput/s on 8', '× first on 8', 'bottleneck on 8'],
    )
    assert.deepEqual(cells[7]?.slice(0, 2), ['7 upstream', '34'])
    assert.match(cells[7]?.[3] as string, /^1\.70 /)
    assert.equal(cells.length, ladder.length)
  })
})
