import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions } from '../../lib/cli/command-line.ts'
import { commands } from '../../loadtest/commands/index.ts'
import { summarizeAgain } from '../../loadtest/outcome/summarize.ts'
import { documents, readDocument, renderDocument } from './documents.ts'
import { findFaults } from './faults.ts'
import { figuresIn } from './figures.ts'
import { type View, views } from './published.ts'
import { isPublished, type RunName, resultsOf, runNames, runs } from './runs.ts'

const all = documents.map(readDocument).join('\n')
const faultsOf = (path: string, change: (text: string) => string) =>
  findFaults(path, change(readDocument(path)))

describe('the documents', () => {
  for (const path of documents)
    test(`${path} has no figure that no run supports; npm run docs writes figures and tables`, () =>
      assert.deepEqual(findFaults(path, readDocument(path)), []))

  test('are the same after a second rendering', () => {
    const once = documents.map(path => renderDocument(readDocument(path)))
    assert.deepEqual(
      once.map(text => renderDocument(text)),
      once,
    )
  })

  test('show every published run, in a table or in prose', () => {
    const shown = Object.entries<View>(views).filter(([name]) => all.includes(`<!-- results ${name} -->`))
    assert.equal(shown.length, Object.keys(views).length)
    const used = new Set<string>([
      ...shown.flatMap(([, { of }]) => of),
      ...figuresIn(all).map(({ path }) => path.split('.')[0] as string),
    ])
    assert.deepEqual(
      runNames.filter(name => isPublished(name) && !used.has(name)),
      ['tour'],
    )
  })

  test('are measured in four hours', () =>
    assert.ok(runNames.reduce((sum, name) => sum + runs[name].minutes, 0) <= 240))

  for (const name of runNames) {
    const [script, , command = 'run', ...flags] = runs[name].line.split(' ')
    if (script === 'loadtest')
      test(`are measured with options that the load test knows: ${name}`, () => {
        const { options } = commands[command] ?? assert.fail()
        assert.doesNotThrow(() => parseOptions(options, flags))
      })
  }

  test('have a ladder whose file has the ratios of these statistics', () => {
    const ladder = resultsOf('ladder')
    assert.deepEqual(summarizeAgain(ladder), ladder)
  })
})

/** A generated table, up to the end of its last line with a figure. */
const LAST_LINES = /<!-- results (\w+) -->(?:(?!<!-- \/results)[\s\S])*\n\|[^\n]*\d[^\n]*/g

describe('a figure that somebody has falsified is found', () => {
  const claim = (text: string) => text.replace(/^(?=\w)/m, 'A line costs 3.1 µs. ')

  /** The text with another digit in place of the first between these places. */
  const falsify = (text: string, from: number, to: number) => {
    const part = text.slice(from, to).replace(/\d/, digit => `${(Number(digit) + 1) % 10}`)
    return text.slice(0, from) + part + text.slice(to)
  }

  for (const path of documents) {
    const text = readDocument(path)
    const inProse = figuresIn(text)
      .filter(({ rendered }) => rendered !== null)
      .map(({ index, path: name, words }) => ({ name, from: index + `<!--=${name}-->`.length, words }))
    for (const { name, from, words } of inProse)
      test(`in ${path}: ${name}, at ${from}`, () =>
        assert.match(
          findFaults(path, falsify(text, from, from + words.length)).join(),
          /" is ".*in the results/,
        ))
    for (const { 0: line, index, 1: name } of text.matchAll(LAST_LINES))
      test(`in ${path}: the table ${name}`, () => {
        const from = index + line.lastIndexOf('\n|')
        assert.match(findFaults(path, falsify(text, from, index + line.length)).join(), /a table is not/)
      })
  }

  test('at the end of a line of a table', () => {
    const text = readDocument('README.md')
    const from = text.lastIndexOf('|', text.indexOf('|\n| 7 upstream') - 2)
    assert.match(findFaults('README.md', falsify(text, from, from + 40)).join(), /a table is not/)
  })

  test('in the README of a package, also if it has no reference', () =>
    assert.match(
      faultsOf('workers/README.md', claim).join(),
      /^workers\/README.md:\d+: "3.1 µs" is neither a reference/,
    ))

  for (const cell of ['0.49', '1.03 [0.71, 1.49]'])
    test(`in a table that somebody wrote: ${cell}`, () =>
      assert.match(
        findFaults('a.md', `| logging | µs |\n| --- | --- |\n| pino | ${cell} |`).join(),
        /^a.md:3: ".+" is neither a reference/,
      ))

  test('in a reference to something that was not measured', () =>
    assert.match(
      findFaults('a.md', 'x <!--=ladder.7.beauty-->1<!--/-->').join(),
      /there is no metric "beauty"/,
    ))
})

test('a table says when the code of its run has changed, which is no fault', () => {
  const old: RunName[] = ['ladder']
  const marked = renderDocument(readDocument('README.md'), old)
  assert.match(marked, /older code/)
  assert.deepEqual(findFaults('README.md', marked), [])
})
