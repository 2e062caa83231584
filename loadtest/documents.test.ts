import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { documents, renderDocument } from './documents.ts'

describe('the tables of results', () => {
  for (const document of documents) {
    test(`in ${document} are those of the published runs: npm run docs:results`, () => {
      const text = readFileSync(join(import.meta.dirname, '..', document), 'utf8')
      assert.equal(text, renderDocument(text))
    })
  }
})
