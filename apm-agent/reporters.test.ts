import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { Reporters } from './reporters.ts'

const MINUTE_MS = 60_000

test('a process may report by both protocols', () => {
  const reporters = new Reporters()
  const attributes = { 'service.instance.id': 'one' }
  const make = () => ({ collect: () => ({ resource: resourceFromAttributes(attributes), scopeMetrics: [] }) })
  assert.notEqual(reporters.find('otlp', attributes, make), reporters.connect(attributes, make)?.reporter)
})

test('a reporter is forgotten after five minutes of silence, but not while it has a connection', () => {
  let nowMs = 0
  const reporters = new Reporters({ nowMs: () => nowMs })
  const attributes = { 'service.instance.id': 'one' }
  const make = () => ({ collect: () => ({ resource: resourceFromAttributes(attributes), scopeMetrics: [] }) })
  const knownAfter = (minutes: number) => {
    nowMs += minutes * MINUTE_MS
    return reporters.collect().length
  }
  reporters.find('otlp', attributes, make)
  assert.deepEqual([knownAfter(5), knownAfter(1)], [1, 0])
  const first = reporters.connect(attributes, make)
  assert.equal(knownAfter(600), 1, 'it was stopped for ten hours, and lives')
  const second = reporters.connect(attributes, make)
  assert.equal(second?.reporter, first?.reporter, 'over a second connection it is the same')
  first?.release()
  assert.equal(knownAfter(600), 1)
  second?.release()
  assert.deepEqual([knownAfter(5), knownAfter(1)], [1, 0])
})
