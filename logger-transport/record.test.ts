import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { enrich, fieldsOf } from './record.ts'

const resource = { service: 'app', version: '1', host: 'h', pid: 7, instance: 'a' }
const MALFORMED = ['', 'plain text', '{"half":', '[1]', '"text"', 'null', '\u0000\ufffd', '{"a":1}{"b":2}']

describe('a line of a segment', () => {
  const rows: readonly (readonly [what: string, line: string, own: object, text: object])[] = [
    ['gets the resource', '{"message":"hi"}', { message: 'hi' }, { message: 'hi', ...resource }],
    [
      'may contain braces',
      '{"a":{"b":"}"},"c":"\\"}"}',
      { a: { b: '}' }, c: '"}' },
      { a: { b: '}' }, c: '"}', ...resource },
    ],
    [
      'may have blanks and a byte order mark around it',
      ' \t\uFEFF{"a":1} \r',
      { a: 1 },
      { a: 1, ...resource },
    ],
    ['may be empty', '{}', {}, resource],
    ['may be empty but for a blank', '{ }', {}, resource],
    [
      'keeps its own fields, and the resource has other names beside them',
      '{"host":"db","version":2,"instance":"/orders/7"}',
      { host: 'db', version: 2, instance: '/orders/7' },
      {
        host: 'db',
        version: 2,
        instance: '/orders/7',
        service: 'app',
        pid: 7,
        'host.name': 'h',
        'service.version': '1',
        'service.instance.id': 'a',
      },
    ],
    [
      'does not choose its service, whatever names it knows',
      '{"service":"x","service.name":"x","host.name":"x","pid":7,"process.pid":8}',
      { service: 'x', 'service.name': 'x', 'host.name': 'x', 'process.pid': 8 },
      {
        service: 'x',
        'service.name': 'app',
        version: '1',
        'host.name': 'h',
        pid: 7,
        'process.pid': 7,
        instance: 'a',
      },
    ],
    ['need not say again what its logger wrote', '{"pid":7}', {}, resource],
    [
      'may have a field without a value',
      '{"host":null}',
      { host: null },
      { ...resource, host: null, 'host.name': 'h' },
    ],
  ]
  for (const [what, line, own, text] of rows)
    test(what, () => {
      const record = enrich(line, resource)
      assert.deepEqual([fieldsOf(record), JSON.parse(record.text)], [own, text])
      assert.deepEqual([record.resource, record.malformed], [resource, false])
      assert.ok(
        record.text.startsWith(line.trim().slice(0, -1).trimEnd()),
        'the line is not serialized again',
      )
    })

  test('that is malformed is kept as text', () => {
    const described = { level: 'error', message: 'a log line was malformed', ...resource }
    for (const line of MALFORMED) {
      const { malformed, text } = enrich(line, resource)
      const { time, ...fields } = JSON.parse(text)
      assert.deepEqual([malformed, time > 0, fields], [true, true, { ...described, raw: line }])
    }
  })
})

describe('a line whose writer has no resource', () => {
  const read = (line: string) => {
    const record = enrich(line, {})
    return [record.resource, fieldsOf(record)]
  }

  test('is from the process that it names, if it names a whole one', () => {
    assert.deepEqual(read(JSON.stringify({ message: 'hi', ...resource })), [resource, { message: 'hi' }])
    const { version, ...others } = resource
    assert.deepEqual(read(JSON.stringify(others)), [{ ...others, version: undefined }, {}])
  })

  test('names none by fields of its service', () => {
    for (const fields of [
      { service: 'payments', host: 'db', instance: '/orders/7' },
      { ...resource, pid: 'seven' },
      { ...resource, service: { name: 'app' } },
      { pid: 7, hostname: 'h', msg: 'of pino' },
    ])
      assert.deepEqual(read(JSON.stringify(fields)), [{}, fields])
  })

  test('that had a writer with one before is from the same', () => {
    const { text } = enrich('{"service":"x","host":"db","instance":"y"}', resource)
    assert.deepEqual(read(text), [resource, { service: 'x', host: 'db', instance: 'y' }])
  })
})
