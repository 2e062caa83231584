import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstStep } from '../../app/steps.ts'
import { TestChoice, testsOf } from './tests.ts'

const files = {
  'package.json': '{"name":"a","dependencies":{"used":"1"}}',
  'package-lock.json':
    '{"packages":{"node_modules/used":{"version":"1"},"node_modules/other":{"version":"1"}}}',
  'app/a.test.ts': "import { a } from './a.ts'",
  'app/a.ts': "import manifest from '../package.json' with { type: 'json' }\nconst file = './data.txt'",
  'app/data.txt': 'data',
  'app/b.test.ts': "import used from 'used'",
}

const testsWith = (changes: Readonly<Record<string, string>> = {}) => {
  const entries = Object.entries({ ...files, ...changes })
  const tree = new Map(entries.map(([path, text]) => [path, { mode: '100644', content: Buffer.from(text) }]))
  return testsOf({ step: firstStep, tree })
}

for (const [what, changes, again] of [
  ['nothing', {}, []],
  ['a file that no test reaches', { 'app/c.ts': 'c' }, []],
  ['the dependencies and scripts of package.json', { 'package.json': '{"name":"a","scripts":{}}' }, []],
  ['a file that its test reaches by a path', { 'app/data.txt': 'other' }, ['app/a.test.ts']],
  ['the name of the project', { 'package.json': '{"name":"b"}' }, ['app/a.test.ts']],
  [
    'the version of a package that is used',
    { 'package-lock.json': files['package-lock.json'].replace('"1"', '"2"') },
    ['app/b.test.ts'],
  ],
  ['a test', { 'app/c.test.ts': '' }, ['app/c.test.ts']],
] as const)
  test(`of a branch that differs in ${what}, these tests run again: ${again.join(', ') || 'none'}`, () => {
    const choice = new TestChoice()
    assert.deepEqual(choice.choose(testsWith()), ['app/a.test.ts', 'app/b.test.ts'])
    assert.deepEqual(choice.choose(testsWith(changes)), again)
  })
