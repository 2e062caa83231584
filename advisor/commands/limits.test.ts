import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { printAnswer } from '../output/render.ts'
import { assertKnown, exceeded, type Judged, parseLimits, readStored } from './limits.ts'

const directory = temporaryDirectory({ after })
const limitsOf = (text: string) => parseLimits(text) ?? assert.fail(text)

test('limits are concerns with shares, with time, or with growth', () => {
  assert.deepEqual(parseLimits('auth and crypto=0.5%,apm=35us,request=+10%'), [
    { concern: 'auth and crypto', of: 'share', most: 0.005 },
    { concern: 'apm', of: 'micros', most: 35 },
    { concern: 'request', of: 'growth', most: 1.1 },
  ])
  for (const wrong of ['logging', 'logging=20', '=20%', 'logging=20%;apm=1%', 'apm=-1%', 'apm=us'])
    assert.equal(parseLimits(wrong), undefined)
})

const rendering = {
  concern: 'rendering',
  owner: 'react-dom',
  share: 0.07,
  gcShare: 0.01,
  functions: [],
  margin: null,
  allocatedShare: null,
  isBuiltin: false,
}
/** 1000 µs for each request. */
const judged: Judged = {
  main: { cpuMs: 1000, coverage: 0.9, shares: [rendering] },
  requests: 1000,
  unit: 'request',
}

test('a concern that exceeds its limit is told, and one that the spectrum lacks exceeds none', () => {
  assert.deepEqual(exceeded(judged, limitsOf('rendering=9%,apm=0%,rendering=80us,request=1000us')), [])
  assert.deepEqual(exceeded(judged, limitsOf('rendering=7%,rendering=79us,request=999us')), [
    'rendering takes 8.0 % of the main thread, more than 7.0 %',
    'rendering takes 80.0 µs of the main thread for each request, more than 79.0 µs',
    'request takes 1000.0 µs of the main thread for each request, more than 999.0 µs',
  ])
})

test('growth is compared with the time of a stored run', () => {
  const file = join(directory, 'stored.json')
  writeFileSync(file, JSON.stringify({ ...judged, requests: 1100 }))
  const stored = readStored(file)
  assert.deepEqual(exceeded(judged, limitsOf('request=+10%'), stored), [])
  assert.match(exceeded(judged, limitsOf('request=+9%'), stored).join(), /more than 990.9 µs, which is \+9 %/)
  for (const text of ['{}', 'nonsense', '{"requests":1,"main":{"cpuMs":1}}']) {
    writeFileSync(file, text)
    assert.throws(() => readStored(file), { name: 'UserError', message: /--against/ }, text)
  }
})

test('limits are not judged by a profile of a process that missed too much, or that has no requests', () => {
  for (const coverage of [0.4, 0.89, null]) {
    const poor = { ...judged, main: { ...judged.main, coverage } }
    assert.throws(() => exceeded(poor, []), { name: 'UserError', message: /needs a coverage/ })
  }
  exceeded({ ...judged, main: { ...judged.main, cpuMs: null, coverage: null } }, limitsOf('apm=1%'))
  assert.throws(() => exceeded({ ...judged, requests: null }, limitsOf('apm=1us')), /needs requests/)
})

test('a limit of a concern that no table has is refused, and growth without a stored run', () => {
  assertKnown(limitsOf('logging=20%,application=20%,request=5us'))
  const message = /no concern "\w+"; the concerns are .*logging.*runtime/
  for (const text of ['loging=1%', 'control=1%', 'request=1%'])
    assert.throws(() => assertKnown(limitsOf(text)), { name: 'UserError', message }, text)
  assert.throws(() => assertKnown(limitsOf('apm=+1%')), /needs --against/)
  assertKnown(limitsOf('apm=+1%'), undefined, true)
})

test('a job of GitHub Actions has the answer in its summary', t => {
  const env = { GITHUB_STEP_SUMMARY: join(directory, 'summary.md') }
  t.mock.method(process.stdout, 'write', () => true)
  printAnswer(true, {}, 'one\n', env)
  printAnswer(false, {}, 'two\n', env)
  printAnswer(false, {}, 'none\n', {})
  t.mock.restoreAll()
  assert.equal(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'), '```\none\n```\n```\ntwo\n```\n')
})
