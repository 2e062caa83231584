import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { createConcernOf } from './concerns.ts'

const owner = (kind: 'package' | 'workspace', name: string) => ({ kind, name })
const own = (path: string) => ({ kind: 'own', name: 'src', path }) as const

const writeTable = (t: TestContext, text: string): string =>
  join(temporaryDirectory(t, { 'concerns.json': text }), 'concerns.json')

test('packages have the concerns of the table, by name or by scope', () => {
  const concernOf = createConcernOf()
  assert.equal(concernOf(owner('package', 'winston')), 'logging')
  assert.equal(concernOf(owner('package', '@nestjs/core')), 'framework')
  assert.equal(concernOf(owner('package', 'left-pad')), 'other packages')
  assert.equal(concernOf(own('winston/index.js')), 'application')
})

test('a table of the user adds concerns, changes them, and names own folders', t => {
  const file = writeTable(
    t,
    '{ "billing": ["./src/billing", "@our/"], "mail": ["./src/billing/mail.js"], "application": ["winston"] }',
  )
  const concernOf = createConcernOf(file)
  assert.equal(concernOf(own('src/billing/tax/rates.js')), 'billing')
  assert.equal(concernOf(own('src/billing/mail.js')), 'mail')
  assert.equal(concernOf(own('src/billings.js')), 'application')
  const bundle = { kind: 'unattributed', name: 'bundle' } as const
  assert.equal(concernOf({ ...bundle, path: 'src/billing/dist.js' }), 'billing')
  assert.equal(concernOf({ ...bundle, path: 'dist/main.js' }), 'unattributed')
  assert.equal(concernOf(owner('workspace', '@our/invoices')), 'billing')
  assert.equal(concernOf(owner('package', 'winston')), 'application')
})

test('a program from npm is the application, with the packages in its scope that no table names', () => {
  const concernOf = createConcernOf(undefined, 'verdaccio')
  assert.equal(concernOf(owner('package', 'verdaccio')), 'application')
  assert.equal(concernOf(owner('package', '@verdaccio/url')), 'application')
  assert.equal(concernOf(owner('package', '@verdaccio/logger')), 'logging')
})

test('a table that is not one is refused in one line', t => {
  const refused = { name: 'UserError', message: /--concerns/ }
  for (const text of ['nonsense', '[]', '{ "logging": "pino" }'])
    assert.throws(() => createConcernOf(writeTable(t, text)), refused, text)
})
