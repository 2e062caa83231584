import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import type { BreakEvenResults } from '../commands/break-even/results.ts'
import { formatRatio } from '../outcome/format.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { readPublished, withSpectra } from './results.fixture.ts'
import { writeReport } from './write.ts'

const published = readPublished('ladder')
/** The published ladder, as if nothing had disturbed it. */
const ladder: Results = {
  ...published,
  noisy: false,
  steps: published.steps.map(row => ({
    ...row,
    samples: row.samples.map(sample => ({ ...sample, noise: null })),
  })),
}
const bare: Results = {
  ...ladder,
  // The published run counts rows however few their samples are.
  settings: { ...ladder.settings, acceptNoise: false },
  steps: ladder.steps.map(row => ({ ...row, spectrum: null, prediction: null })),
}

const report = (t: TestContext, results: Results | BreakEvenResults): string =>
  readFileSync(writeReport(results, temporaryDirectory(t)), 'utf8')

const titlesOf = (page: string) => [...page.matchAll(/<h2 id="[^"]*">([^<]*)</g)].map(([, title]) => title)
const noticesOf = (page: string) =>
  [...page.matchAll(/role="note"><strong>([^<]*)\.<\/strong>/g)].map(([, title]) => title)

const oneRow = (results: Results): Results => ({
  ...results,
  steps: results.steps.slice(0, 1).map(row => ({ ...row, versusPrevious: null, versusFirst: null })),
})

const withoutSlice = (results: Results, slice: string): Results => ({
  ...results,
  steps: results.steps.map(({ spectrum, ...row }) => {
    const shares = Object.entries(spectrum?.shares ?? {}).filter(([name]) => name !== slice)
    return { ...row, spectrum: spectrum && { ...spectrum, shares: Object.fromEntries(shares) } } as RowResult
  }),
})

const nothing = { median: null, ci95: null }
const withoutValues = (results: Results): Results => ({
  ...results,
  steps: results.steps.map(row => ({
    ...row,
    samples: row.samples.map(sample => ({ ...sample, valid: false, reason: '3 errors' })),
    mainThreadMicros: nothing,
    goodput: nothing,
    totalMicros: nothing,
    p99Ms: nothing,
  })),
})

describe('the report', () => {
  test('of a ladder with spectra shows the spectrum, costs, gains, latency and tables', t => {
    const page = report(t, withSpectra(ladder))
    assert.deepEqual(titlesOf(page), [
      'How the main thread spends its time',
      'Main-thread cost, µs',
      'Main-thread cost, against the row above',
      'Goodput, good responses a second',
      'Goodput, against the row above',
      'p99, ms',
      'Costs',
      'Counts of the main thread',
      'Main threads by %',
      'How it was measured',
    ])
    assert.match(page, /most of it compute, 50 %/)
    const last = formatRatio(ladder.steps.at(-1)?.versusFirst?.mainThreadMicros, 2)
    assert.ok(page.includes(`From monolith to upstream: ${last}.`))
    assert.match(page, /<p class="answer">The main-thread cost of a \/demo, × the row above: compute 0\./)
    const links = [...page.matchAll(/<li><a href="#([^"]*)">/g)].map(([, id]) => id)
    assert.deepEqual(
      links,
      [...page.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id),
    )
    const compute = ladder.steps[1]?.versusPrevious as NonNullable<RowResult['versusPrevious']>
    assert.ok(
      page.includes(`1 compute: ${compute.mainThreadMicros.ratio?.toFixed(2)}×, less, predicted 0.50`),
    )
    assert.match(page, /<p>In brackets: the 95 % interval/)
    assert.doesNotMatch(page, /faster|slower|inconclusive|equivalent/)
    assert.deepEqual(noticesOf(page), [])
  })

  test('links to the profiles that are there, and to nothing outside of the directory of the run', t => {
    const directory = temporaryDirectory(t)
    const profiles = join(directory, 'run')
    mkdirSync(join(profiles, 'profiles'), { recursive: true })
    for (const path of ['run/profiles/1.cpuprofile', 'outside.cpuprofile'])
      writeFileSync(join(directory, path), '{}')
    const results = withSpectra(ladder)
    const steps = results.steps.map(row =>
      row.number === 2
        ? ({ ...row, spectrum: { ...row.spectrum, profile: '../outside.cpuprofile' } } as RowResult)
        : row,
    )
    const page = readFileSync(writeReport({ ...results, steps } as Results, join(directory, 'out'), profiles))
    const links = [...page.toString().matchAll(/<a href="([^#"]+)">(.*?)</g)].map(([, href, name]) => [
      href,
      name,
    ])
    assert.deepEqual(links, [['../run/profiles/1.cpuprofile', '1 compute, main']])
  })

  test('leaves out what nobody measured: no spectrum, no prediction', t => {
    const page = report(t, bare)
    assert.doesNotMatch(page, /predicted|most of it/)
    assert.equal(titlesOf(page)[0], 'Main-thread cost, µs')
  })

  test('of a run that was saved before a concern was added has all slices but that one', t => {
    const page = report(t, withoutSlice(withSpectra(ladder), 'apm'))
    assert.doesNotMatch(page, /NaN|undefined/)
    assert.match(page, /<th[^>]*>native</)
    assert.doesNotMatch(page, /<th[^>]*>apm</)
  })

  test('of a single row, of rows without a valid sample, and of no block at all can be read', t => {
    assert.doesNotMatch(report(t, oneRow(withSpectra(ladder))), /NaN|undefined|Infinity/)
    const page = report(t, withoutValues(bare))
    assert.doesNotMatch(page, /NaN|undefined|Infinity/)
    assert.match(page, /0 monolith: no valid sample/)
    const empty = withoutValues(bare)
    const steps = empty.steps.map(row => ({ ...row, samples: [] }))
    assert.doesNotMatch(report(t, { ...empty, steps }), /NaN|undefined|Infinity/)
  })

  for (const name of ['page', 'ladderAt30', 'isolation', 'aa', 'cores'] as const) {
    test(`can be made of the published run ${name}, from its head to its tables`, t => {
      const page = report(t, readPublished(name))
      assert.ok(titlesOf(page).length > 4)
      assert.doesNotMatch(page, /NaN|undefined|Infinity/)
    })
  }

  test('of rows that are compared with the first begins with these ratios', t => {
    for (const command of ['run', 'ablation', 'gc']) {
      const settings = { ...ladder.settings, command, baseline: 'first' as const }
      const page = report(t, { ...bare, settings })
      assert.ok(titlesOf(page).includes('Main-thread cost, against the first row'))
      assert.match(page, />× first</)
    }
  })

  test('of break-even draws costs and waits over the length of a task', t => {
    const page = report(t, readPublished<BreakEvenResults>('breakEven'))
    assert.ok(titlesOf(page).includes('Main-thread cost of a task: 100 B, one client'))
    assert.ok(titlesOf(page).includes('How long others wait for the main thread: 1 MB, one client'))
    assert.match(page, /npm run loadtest -- break-even --lengths=10,30,/)
    assert.doesNotMatch(page, /NaN|undefined|Infinity/)
  })

  test('shows names and reasons from a file as text', t => {
    const hostile = '<script>alert(1)</script>"&|'
    const page = report(t, {
      ...withSpectra(ladder),
      steps: withSpectra(ladder).steps.map(row => ({
        ...row,
        number: null,
        name: hostile,
        samples: row.samples.map((sample, index) =>
          index === 0 ? { ...sample, valid: false, reason: hostile } : sample,
        ),
      })),
    })
    assert.doesNotMatch(page, /<script/)
    assert.ok(page.includes('&lt;script&gt;alert('))
  })
})

describe('the head of the report', () => {
  const refused = (count: number, reason: string): Results => ({
    ...bare,
    steps: bare.steps.map((row, index) => ({
      ...row,
      samples: row.samples.map((sample, number) =>
        index === 1 && number < count ? { ...sample, valid: false, reason } : sample,
      ),
    })),
  })
  const disturbed: Results = {
    ...bare,
    noisy: true,
    steps: bare.steps.map(row => ({
      ...row,
      samples: row.samples.map((sample, index) =>
        index === 0 ? { ...sample, noise: 'waited 1 ms' } : sample,
      ),
    })),
  }
  const cases: readonly [string, Results, string[]][] = [
    ['an interrupted run', { ...bare, partial: true }, ['Interrupted']],
    [
      'blocks without intervals',
      {
        ...bare,
        settings: { ...bare.settings, rounds: 2 },
        steps: bare.steps.map(row => ({ ...row, versusPrevious: null, versusFirst: null })),
      },
      ['A first look'],
    ],
    [
      'changes that are not committed',
      { ...bare, environment: { ...bare.environment, commit: '0123456789ab-dirty' } },
      ['Uncommitted changes'],
    ],
    ['no repository', { ...bare, environment: { ...bare.environment, commit: null } }, ['Unknown commit']],
    ['a refused sample', refused(1, '2 errors'), ['Refused samples']],
    ['a sample that counts although it was disturbed', disturbed, ['Noisy']],
    ['a row without enough samples', refused(6, '2 errors'), ['Too few samples', 'Refused samples']],
  ]
  for (const [what, results, titles] of cases) {
    test(`tells of ${what}`, t => {
      const page = report(t, results)
      assert.deepEqual(noticesOf(page), titles)
    })
  }

  test('is not the only place that marks a noisy run: its tables do', t => {
    const page = report(t, disturbed)
    const { rows, blocks } = { rows: ladder.steps.length, blocks: ladder.steps[0]?.samples.length ?? 0 }
    assert.ok(page.includes(`${blocks}/${blocks} (1 noisy)`))
    const told = `${rows} of the ${rows * blocks} samples that count were disturbed: ${rows} × like “waited 1 ms”`
    assert.ok(page.includes(told))
  })
})
