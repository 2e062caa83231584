import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { Reporters } from './reporters.ts'

const MINUTE_MS = 60_000

/** Reporters with one instance, and a clock that the test moves. */
function start() {
  let nowMs = 0
  const reporters = new Reporters({ nowMs: () => nowMs })
  const attributes = { 'service.instance.id': 'one' }
  const make = () => ({ collect: () => ({ resource: resourceFromAttributes(attributes), scopeMetrics: [] }) })
  return {
    reporters,
    find: () => reporters.find('records', attributes, make),
    connect: () => reporters.connect(attributes, make),
    passMinutes(minutes: number) {
      nowMs += minutes * MINUTE_MS
    },
    known: () => reporters.collect().length,
  }
}

describe('a reporter', () => {
  test('is forgotten after five minutes of silence', () => {
    const { find, passMinutes, known } = start()
    find()
    passMinutes(5)
    assert.equal(known(), 1)
    passMinutes(1)
    assert.equal(known(), 0)
  })

  test('is known as long as it has a connection, and five minutes more', () => {
    const { connect, passMinutes, known } = start()
    const first = connect()
    passMinutes(600)
    assert.equal(known(), 1, 'it was stopped for ten hours, and lives')
    const second = connect()
    assert.equal(second?.reporter, first?.reporter, 'over a second connection it is the same')
    first?.release()
    passMinutes(600)
    assert.equal(known(), 1)
    second?.release()
    passMinutes(5)
    assert.equal(known(), 1)
    passMinutes(1)
    assert.equal(known(), 0)
  })

  test('is not forgotten when the clock of the machine is set', t => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 })
    const reporters = new Reporters()
    const resource = resourceFromAttributes({ 'service.instance.id': 'one' })
    reporters.find('records', resource.attributes, () => ({
      collect: () => ({ resource, scopeMetrics: [] }),
    }))
    t.mock.timers.setTime(60 * MINUTE_MS)
    assert.equal(reporters.collect().length, 1)
  })
})
