import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutCredentials } from './without-credentials.ts'

test('a text shows of its URLs neither user nor password nor query', () => {
  for (const [text, shown] of [
    ['http://me:secret@host:4318/v1/logs answered with 400', 'http://host:4318/v1/logs answered with 400'],
    ['no answer from HTTPS://me@host/?key=secret', 'no answer from https://host/?[redacted]'],
    ['both http://a/ and http://b:p@c/', 'both http://a/ and http://c/'],
    ['http://me:se[cret@/ is wrong', '[redacted] is wrong'],
    ['connect ECONNREFUSED 127.0.0.1:4318', 'connect ECONNREFUSED 127.0.0.1:4318'],
  ] as const)
    assert.equal(withoutCredentials(text), shown)
})
