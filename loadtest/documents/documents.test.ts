import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { documents, isPublished, renderDocument } from './documents.ts'
import { publishedNames } from './published.ts'

const read = (document: string) => readFileSync(join(import.meta.dirname, '../..', document), 'utf8')

describe('the docs', () => {
  for (const document of documents) {
    test(`${document} shows what the published runs found; npm run docs:results writes it`, () => {
      assert.equal(renderDocument(read(document)), read(document))
    })
  }

  test('show the thresholds of the statistics', () => {
    assert.ok(documents.map(read).some(text => text.includes('<!-- thresholds -->')))
    assert.match(renderDocument('<!-- thresholds -->\n<!-- /thresholds -->'), /±2 % of 1/)
  })

  test('show every published run', () => {
    const all = documents.map(read).join('')
    const runs = publishedNames.filter(isPublished)
    assert.ok(runs.length > 0)
    for (const name of runs) assert.ok(all.includes(`<!-- results ${name} -->`), name)
  })
})
