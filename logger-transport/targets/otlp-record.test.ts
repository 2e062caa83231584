import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import pino from 'pino'
import { enrich } from '../record.ts'
import { describeRecords } from './otlp-record.ts'

const resource = { service: 'shop', version: '1.0', host: 'h', pid: 7, instance: 'a' }
const TIME = Date.UTC(2026, 10, 25)
const described = (line: string) => describeRecords([enrich(line, resource)])[0] as ReadableLogRecord
const millisOf = ({ hrTime: [seconds, nanos] }: ReadableLogRecord) => seconds * 1000 + nanos / 1e6

/** The record of the line that a pino writes. */
function logged(options: pino.LoggerOptions<string>, log: (logger: pino.Logger<string>) => void) {
  const lines = new PassThrough({ encoding: 'utf8' })
  log(pino({ base: null, ...options }, lines))
  return described((lines.read() as string).trimEnd())
}

const severityOf = ({ severityNumber, severityText }: ReadableLogRecord) => [severityNumber, severityText]

test('what a line lacks, its record lacks', () => {
  const silent = logged({}, logger => logger.info({ orderId: 7 }))
  assert.deepEqual(['body' in silent, silent.attributes], [false, { orderId: 7 }])
  const plain = described('{"msg":"hi"}')
  assert.deepEqual([plain.severityNumber, 'severityText' in plain, plain.attributes], [0, false, {}])
})

test('the message is the body as it is, that of the logger where the service has a field of the other name', () => {
  assert.deepEqual(described('{"level":30,"msg":{"a":[1,null]}}').body, { a: [1, null] })
  assert.equal(described('{"message":0}').body, 0)
  assert.equal(described('{"message":""}').body, '')
  const ofPino = logged({}, logger => logger.info({ message: 'own' }, 'logged'))
  assert.deepEqual([ofPino.body, ofPino.attributes], ['logged', { message: 'own' }])
  const ofWinston = described('{"level":"info","message":"logged","msg":"own"}')
  assert.deepEqual([ofWinston.body, ofWinston.attributes], ['logged', { msg: 'own' }])
})

describe('the level', () => {
  test('may have another key, another case, or a number of its own', () => {
    const formatters = { level: (label: string) => ({ severity: label.toUpperCase() }) }
    assert.deepEqual(severityOf(logged({ formatters }, logger => logger.error('x'))), [17, 'ERROR'])
    assert.deepEqual(severityOf(described('{"level":35,"msg":"x"}')), [9, '35'])
    assert.deepEqual(severityOf(described('{"log.level":"warn"}')), [13, 'warn'])
    assert.deepEqual(severityOf(described('{"level":"audit"}')), [0, 'audit'])
    assert.deepEqual(severityOf(described('{"level":40}')), [13, 'warn'])
  })

  test('is no field of the service', () => {
    const record = logged({}, logger => logger.info({ level: 'high', time: 5, severity: 'much' }, 'flood'))
    assert.deepEqual(severityOf(record), [9, 'info'])
    assert.deepEqual(record.attributes, { level: 'high', time: 5, severity: 'much' })
    assert.ok(millisOf(record) > TIME)
    const odd = described('{"level":{"toString":1},"severity":[],"msg":"x"}')
    assert.deepEqual([odd.severityNumber, odd.attributes], [0, { level: { toString: 1 }, severity: [] }])
  })
})

describe('the time', () => {
  test('is understood as a number of any unit, told by its size, and as a date', () => {
    const [seconds, date] = [TIME / 1000, new Date(TIME)]
    const numbers = [TIME, seconds, TIME * 1e3, TIME * 1e6, String(TIME), String(seconds)]
    for (const time of [...numbers, date.toISOString(), date.toUTCString()])
      for (const key of ['time', 'timestamp']) {
        const record = described(JSON.stringify({ level: 30, [key]: time, msg: 'x' }))
        assert.deepEqual([millisOf(record), record.attributes], [TIME, {}])
      }
    const timestamp = pino.stdTimeFunctions.unixTime
    assert.ok(millisOf(logged({ timestamp }, logger => logger.info('x'))) > TIME - 864e5)
  })

  test('that is none is a field of the service', () => {
    for (const time of [5, -1, 'soon 5', {}, [], true, null, '', 1e30]) {
      const record = described(JSON.stringify({ time, msg: 'x' }))
      assert.deepEqual(record.attributes, { time })
      assert.deepEqual(record.hrTime, record.hrTimeObserved)
    }
  })
})

describe('the resource', () => {
  test('is that of the writer, whatever a line says; its fields stay attributes', () => {
    for (const fields of [
      { host: 'db.internal', version: '16.2' },
      { service: 'payments', 'service.name': 'payments' },
      { type: 'about:blank', status: 404, instance: '/orders/7' },
      { pid: 8 },
    ]) {
      const record = logged({}, logger => logger.info(fields, 'x'))
      assert.deepEqual(record.attributes, fields)
      assert.deepEqual(record.resource.attributes, described('{}').resource.attributes)
      assert.equal(record.resource.attributes['service.name'], 'shop')
    }
  })

  test('of a line that names none, without a writer, has no names', () => {
    const [record] = describeRecords([enrich('{"level":30,"service":"payments","msg":"x"}', {})])
    assert.deepEqual([record?.resource.attributes, record?.attributes], [{}, { service: 'payments' }])
  })
})
