import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeTestApp } from '../test/pulses.ts'
import type { FaultTime, Update } from './live-messages.ts'
import { Points, toColumns } from './page/live/points.ts'

const apps = ['one', 'two'].map(instance => describeTestApp({ instance, name: instance, step: null }))
const update = (atMs: number, app: string, faults: readonly FaultTime[] = []) =>
  ({ atMs, app, faults }) as never

/** Points that were told updates after the present time. */
function pointsOf(nowMs: number, updates: readonly Update[]): Points {
  const points = new Points()
  points.add({ kind: 'hello', nowMs })
  for (const app of apps) points.add({ kind: 'app', app })
  for (const update of updates) points.add({ kind: 'update', update })
  return points
}

describe('the points of the charts', () => {
  test('have a mark where another app begins, and none where the charts begin', () => {
    const updates = [update(1, 'one'), update(2, 'one'), update(3, 'two'), update(4, 'two')]
    const points = pointsOf(4, updates)
    const mark = { atMs: 3, label: 'two' }
    assert.deepEqual(
      [0, 2, 3, 4].map(atMs => points.marksSince(atMs)),
      [[mark], [mark], [mark], []],
    )
  })

  test('have a mark for each fault, with the end in the last update', () => {
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
    const points = pointsOf(5, updates)
    const [first, second] = [
      { atMs: 2, untilMs: 3, label: 'kill-orders' },
      { atMs: 4, untilMs: 9, label: 'kill-orders' },
    ]
    assert.deepEqual([points.marksSince(0), points.marksSince(4)], [[first, second], [second]])
  })

  test('begin again when the clock of apm-agent was set back', () => {
    const points = pointsOf(5000, [update(5000, 'one')])
    points.add({ kind: 'hello', nowMs: 1000 })
    points.add({ kind: 'update', update: update(900, 'two') })
    assert.equal(points.last?.atMs, 900)
  })

  test('of the present are those of the running app in the last seconds', () => {
    const present = (...updates: Update[]) => pointsOf(9000, updates).present.map(({ atMs }) => atMs)
    assert.deepEqual(present(update(1000, 'one'), update(5000, 'one'), update(7000, 'one')), [5000, 7000])
    assert.deepEqual(present(update(1000, 'one'), update(1500, 'two')), [1500])
    assert.deepEqual(present(), [])
  })

  test('tell an update of the present from one that a page gets later', () => {
    const late = { kind: 'update', update: update(5000, 'one') } as const
    const last = { kind: 'update', update: update(8900, 'one') } as const
    const points = pointsOf(9000, [])
    points.add(late)
    assert.equal(points.isLast(late), false)
    points.add(last)
    assert.deepEqual([points.isLast(late), points.isLast(last)], [false, true])
  })

  test('are a gap in each line where some are missing, and nothing in a line that is zero all the time', () => {
    const read = ({ atMs }: Update) => atMs
    const lines = [
      { color: 'goodput', label: 'good', read },
      { color: 'bad', label: 'bad', read: () => 0 },
    ]
    const updates = [500, 1000, 9000].map(atMs => update(atMs, 'one'))
    assert.deepEqual(toColumns(lines, updates), [
      [0.5, 1, 1.001, 9],
      [500, 1000, null, 9000],
      [null, null, null, null],
    ])
  })
})
