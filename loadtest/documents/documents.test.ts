import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { runCommand } from '../../test/run-command.ts'
import { readResults } from '../outcome/results-file.ts'
import { summarizeAgain } from '../outcome/summarize.ts'
import { documents, isPublished, renderDocument, resultsPath } from './documents.ts'
import { publishedNames } from './published.ts'

const read = (document: string) => readFileSync(join(import.meta.dirname, '../..', document), 'utf8')

describe('the docs', () => {
  for (const document of documents) {
    test(`${document} shows what the published runs found; npm run docs -- results writes it`, () => {
      assert.equal(renderDocument(read(document)), read(document))
    })
  }

  test('show the thresholds of the statistics', () => {
    assert.ok(documents.map(read).some(text => text.includes('<!-- thresholds -->')))
    assert.match(renderDocument('<!-- thresholds -->\n<!-- /thresholds -->'), /±2 % of 1/)
  })

  test('take no run that other programs disturbed', async t => {
    const file = join(mkdtempSync(join(tmpdir(), 'noisy-')), 'results.json')
    t.after(() => rmSync(dirname(file), { recursive: true }))
    writeFileSync(file, JSON.stringify({ ...readResults(resultsPath('ladder')), noisy: true }))
    const published = readFileSync(resultsPath('ladder'))
    const { code, stderr } = await runCommand('loadtest/documents/main.ts', ['--ladder', file])
    assert.equal(code, 1)
    assert.match(stderr, /^error: .*results.json is noisy: /)
    assert.deepEqual(readFileSync(resultsPath('ladder')), published)
  })

  test('have a ladder whose file has the ratios of these statistics', () => {
    const ladder = readResults(resultsPath('ladder'))
    assert.deepEqual(JSON.parse(JSON.stringify(summarizeAgain(ladder))), ladder)
  })

  test('show every published run', () => {
    const all = documents.map(read).join('')
    const runs = publishedNames.filter(isPublished)
    assert.ok(runs.length > 0)
    for (const name of runs) assert.ok(all.includes(`<!-- results ${name} -->`), name)
  })
})
