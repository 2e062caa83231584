import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { renderColumns } from '../../lib/cli/columns.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { presentationOf } from '../commands/index.ts'
import { renderForTerminal, renderText } from '../declaration/presentation.ts'
import { formatRatio } from '../outcome/format.ts'
import type { Results, RowResult, SavedRun } from '../outcome/results.ts'
import { resultsDirectory } from '../outcome/results-file.ts'
import { readPublished, withSpectra } from './results.fixture.ts'
import { tryToReport, writeReport } from './write.ts'

type Change = (sample: Results['steps'][number]['samples'][number], index: number) => object

const withSamples = (results: Results, change: Change): Results => ({
  ...results,
  steps: results.steps.map(row => ({
    ...row,
    samples: row.samples.map((sample, index) => ({ ...sample, ...change(sample, index) })),
  })),
})

/** The published ladder, as if nothing had disturbed it. */
const ladder: Results = withSamples({ ...readPublished('ladder'), noisy: false }, () => ({ noise: null }))
const bare: Results = {
  ...ladder,
  // The published run counts rows however few their samples are.
  settings: { ...ladder.settings, acceptNoise: false },
  steps: ladder.steps.map(row => ({ ...row, spectrum: null, prediction: null })),
}
const hostile = '<script>alert(1)</script>"&|'

const report = (t: TestContext, run: SavedRun): string =>
  readFileSync(writeReport(run, temporaryDirectory(t)), 'utf8')

const titlesOf = (page: string) => [...page.matchAll(/<h2 id="[^"]*">([^<]*)</g)].map(([, title]) => title)

const nothing = { median: null, ci95: null }
const withoutValues = withSamples(
  {
    ...bare,
    steps: bare.steps.map(row => ({
      ...row,
      ...{ mainThreadMicros: nothing, goodput: nothing, totalMicros: nothing, p99Ms: nothing },
    })),
  },
  () => ({ valid: false, reason: '3 errors' }),
)

describe('the report', () => {
  test('of a ladder with spectra shows the spectrum, costs, gains and tables', t => {
    const page = report(t, withSpectra(ladder))
    assert.deepEqual(titlesOf(page), [
      'How the main thread spends its time',
      'Main-thread cost, µs',
      'Main-thread cost, against the row above',
      'Goodput, good responses a second',
      'Goodput, against the row above',
      'Costs',
      'Counts of the main thread',
      'Main threads by %',
      'How it was measured',
    ])
    assert.match(page, /most of it compute, 50 %/)
    const last = formatRatio(ladder.steps.at(-1)?.versusFirst?.mainThreadMicros, 2)
    assert.ok(page.includes(`From monolith to upstream: ${last}.`))
    assert.match(page, /<p class="answer">The main-thread cost of a \/demo, × the row above: compute 0\./)
    assert.deepEqual(
      [...page.matchAll(/<li><a href="#([^"]*)">/g)].map(([, id]) => id),
      [...page.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id),
    )
    const compute = ladder.steps[1]?.versusPrevious as NonNullable<RowResult['versusPrevious']>
    assert.ok(
      page.includes(`1 compute: ${compute.mainThreadMicros.ratio?.toFixed(2)}×, less, predicted 0.50`),
    )
    assert.match(page, /<p>In brackets: the 95 % interval/)
    assert.doesNotMatch(page, /faster|slower|inconclusive|equivalent|role="note"/)
  })

  test('links to the profiles that are there, and to nothing outside of the directory of the run', t => {
    const directory = temporaryDirectory(t)
    const run = join(directory, 'run')
    mkdirSync(join(run, 'profiles'), { recursive: true })
    for (const path of ['run/profiles/1.cpuprofile', 'outside.cpuprofile'])
      writeFileSync(join(directory, path), '{}')
    const results = withSpectra(ladder)
    const steps = results.steps.map(row =>
      row.number === 2
        ? ({ ...row, spectrum: { ...row.spectrum, profile: '../outside.cpuprofile' } } as RowResult)
        : row,
    )
    const page = readFileSync(writeReport({ ...results, steps } as Results, run), 'utf8')
    const links = [...page.matchAll(/<a href="([^#"]+)">(.*?)</g)].map(([, href, name]) => [href, name])
    assert.deepEqual(links, [['profiles/1.cpuprofile', '1 compute, main']])
  })

  const odd: readonly [string, Results][] = [
    ['nothing that nobody measured: no spectrum, no prediction', bare],
    ['a single row', { ...bare, steps: bare.steps.slice(0, 1) }],
    ['rows without a valid sample', withoutValues],
    [
      'no block at all',
      { ...withoutValues, steps: withoutValues.steps.map(row => ({ ...row, samples: [] })) },
    ],
    [
      'names from a file as text',
      { ...bare, steps: bare.steps.map(row => ({ ...row, number: null, name: hostile })) },
    ],
  ]
  for (const [what, results] of odd)
    test(`can be read, and shows ${what}`, t =>
      assert.doesNotMatch(report(t, results), /NaN|undefined|Infinity|predicted|most of it|<script/))

  test('of rows that are compared with the first has these ratios, also of a command that is gone', t => {
    const settings = { ...ladder.settings, command: 'gc', baseline: 'first' as const }
    const page = report(t, { ...bare, settings })
    assert.ok(titlesOf(page).includes('Main-thread cost, against the first row'))
    assert.match(page, />× first</)
  })

  test('that cannot be made says how to make it again, and fails nothing', t => {
    const results: Results = {
      ...ladder,
      environment: { ...ladder.environment, date: `test ${process.pid}` },
    }
    t.after(() => rmSync(resultsDirectory(results), { recursive: true, force: true }))
    const write = t.mock.method(process.stderr, 'write', () => true)
    tryToReport(results)
    tryToReport({ ...results, steps: [null] } as unknown as Results)
    write.mock.restore()
    const [made, failed] = write.mock.calls.map(({ arguments: [text] }) => String(text))
    assert.match(made ?? '', /^report: .*results\/test-? ?\d+\/report\.html\n$/)
    assert.match(
      failed ?? '',
      /^warning: there is no report; npm run loadtest -- report .* makes it again: TypeError/,
    )
  })
})

describe('the tables of the published run', () => {
  const names = ['ladder', 'page', 'aa', 'ladderAt30', 'isolation', 'equalCores', 'cores', 'breakEven']
  for (const name of names)
    test(`${name} have the same columns in the terminal and in its report`, t => {
      const run = readPublished(name)
      const content = presentationOf(run).content(run)
      const page = report(t, run)
      assert.doesNotMatch(page, /NaN|undefined|Infinity/)
      const declared = content.flatMap(each =>
        each.kind === 'table' ? [each.columns.map(({ title }) => title)] : [],
      )
      assert.ok(declared.length > 0)
      const shown = [...page.matchAll(/<thead><tr>(.*?)<\/tr>/g)].map(([, row]) =>
        String([...(row as string).matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, title]) => title)),
      )
      const headers = renderText(content, renderColumns)
        .split('\n')
        .map(line => String(line.trim().split(/ {2,}/)))
      for (const titles of declared)
        assert.ok(shown.includes(String(titles)) && headers.includes(String(titles)), String(titles))
    })
})

test('a quick run shows on a terminal three columns below what their figures mean, and what they come to', () => {
  const { inShort } = presentationOf(ladder)
  const quick: Results = { ...ladder, settings: { ...ladder.settings, looks: true } }
  const shown = inShort?.(quick) ?? assert.fail()
  assert.deepEqual(
    shown.flatMap(each => (each.kind === 'table' ? each.columns.map(({ title }) => title) : [])),
    ['step', 'main-thread cost, µs', '× previous'],
  )
  assert.match(renderForTerminal(shown), /^In brackets: .*A ratio \(×\) .*From monolith to upstream: /s)
  assert.equal(inShort?.(ladder), undefined)
})

describe('the head of the report', () => {
  const refused = (count: number): Results =>
    withSamples(bare, (_, index) => (index < count ? { valid: false, reason: '2 errors' } : {}))
  const disturbed = withSamples({ ...bare, noisy: true }, (_, index) =>
    index === 0 ? { noise: 'waited 1 ms' } : {},
  )
  const cases: readonly [string, Results, string[]][] = [
    ['an interrupted run', { ...bare, partial: true }, ['Interrupted']],
    ['a refused sample', refused(1), ['Refused samples']],
    ['a sample that counts although it was disturbed', disturbed, ['Noisy']],
    ['a row without enough samples', refused(6), ['Too few samples', 'Refused samples']],
  ]
  for (const [what, results, titles] of cases)
    test(`tells of ${what}`, t => {
      const page = report(t, results)
      const notices = [...page.matchAll(/role="note"><strong>([^<]*)\.<\/strong>/g)].map(([, title]) => title)
      assert.deepEqual(notices, titles)
    })

  test('is not the only place that marks a noisy run: its tables do', t => {
    const page = report(t, disturbed)
    const { rows, blocks } = { rows: ladder.steps.length, blocks: ladder.steps[0]?.samples.length ?? 0 }
    assert.ok(page.includes(`${blocks}/${blocks} (1 noisy)`))
    const told = `${rows} of the ${rows * blocks} samples that count were disturbed: ${rows} × like “waited 1 ms”`
    assert.ok(page.includes(told))
  })
})
