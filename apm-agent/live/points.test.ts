import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeTestApp } from '../../test/pulses.ts'
import { Points } from './page/points.ts'
import type { FaultTime } from './update.ts'

const apps = ['one', 'two'].map(instance => describeTestApp({ instance, name: instance, step: null }))
const update = (atMs: number, app: string, faults: readonly FaultTime[] = []) =>
  ({ atMs, app, faults }) as never

describe('the points of the charts', () => {
  test('have a mark where another app begins, and none where the charts begin', () => {
    const points = new Points()
    const updates = [update(1, 'one'), update(2, 'one'), update(3, 'two'), update(4, 'two')]
    points.add({ kind: 'history', note: '', next: '', nowMs: 4, apps, updates })
    const mark = { atMs: 3, label: 'two' }
    assert.deepEqual(
      [0, 2, 3, 4].map(atMs => points.marksSince(atMs)),
      [[mark], [mark], [mark], []],
    )
  })

  test('have a mark for each fault, with the end in the last update', () => {
    const points = new Points()
    const fault = { id: 1, name: 'kill-orders', fromMs: 2, untilMs: 9 }
    const told = [
      [fault],
      [
        { ...fault, untilMs: 3 },
        { ...fault, id: 2, fromMs: 4 },
      ],
      [],
    ]
    const updates = told.map((faults, index) => update(3 + index, 'one', faults))
    points.add({ kind: 'history', note: '', next: '', nowMs: 5, apps, updates })
    const [first, second] = [
      { atMs: 2, untilMs: 3, label: 'kill-orders' },
      { atMs: 4, untilMs: 9, label: 'kill-orders' },
    ]
    assert.deepEqual([points.marksSince(0), points.marksSince(4)], [[first, second], [second]])
  })

  test('begin again when the clock of apm-agent was set back', () => {
    const points = new Points()
    points.add({ kind: 'update', app: apps[0] as never, update: update(5000, 'one') })
    points.add({ kind: 'history', note: '', next: '', nowMs: 1000, apps, updates: [update(900, 'two')] })
    assert.equal(points.last?.atMs, 900)
  })
})
