import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeTestApp } from '../../test/pulses.ts'
import { Points } from './page/points.ts'

const apps = ['one', 'two'].map(instance => describeTestApp({ instance, name: instance, step: null }))
const update = (atMs: number, app: string) => ({ atMs, app }) as never

describe('the points of the charts', () => {
  test('have a mark where an app takes the place of another, and none where the charts begin', () => {
    const points = new Points()
    const updates = [update(1, 'one'), update(2, 'one'), update(3, 'two'), update(4, 'two')]
    points.add({ kind: 'history', note: '', next: '', nowMs: 4, apps, updates })
    const mark = { atMs: 3, label: 'two' }
    assert.deepEqual(
      [0, 2, 3, 4].map(atMs => points.marksSince(atMs)),
      [[mark], [mark], [mark], []],
    )
  })

  test('begin anew when the clock of apm-agent was set back', () => {
    const points = new Points()
    points.add({ kind: 'update', app: apps[0] as never, update: update(5000, 'one') })
    points.add({ kind: 'history', note: '', next: '', nowMs: 1000, apps, updates: [update(900, 'two')] })
    assert.equal(points.last?.atMs, 900)
  })
})
