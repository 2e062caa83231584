import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { enrich, fieldsOf } from './record.ts'

const resource = { service: 'app', instance: 'a' }

describe('a line', () => {
  const whole: readonly [line: string, fields: object][] = [
    ['{"message":"hi"}', { message: 'hi', ...resource }],
    ['{"a":{"b":"}"},"c":"\\"}"}', { a: { b: '}' }, c: '"}', ...resource }],
    ['{}', resource],
    ['{"instance":"b","service":"other"}', { instance: 'b', service: 'other' }],
  ]
  for (const [line, fields] of whole) {
    test(`${line} gets the resource it does not have`, () => {
      const record = enrich(line, resource)
      assert.deepEqual(fieldsOf(record), fields)
      assert.equal(record.malformed, false)
    })
  }

  for (const line of [
    '',
    'plain text',
    '{"half":',
    '[1]',
    '"text"',
    'null',
    ' {}',
    '\u0000\ufffd',
    '{"a":1}{"b":2}',
  ]) {
    test(`${JSON.stringify(line)} is kept as text`, () => {
      const { malformed, text } = enrich(line, resource)
      const { time, ...fields } = JSON.parse(text)
      assert.equal(malformed, true)
      assert.ok(time > 0)
      assert.deepEqual(fields, {
        level: 'error',
        message: 'a log line was malformed',
        raw: line,
        ...resource,
      })
    })
  }
})
