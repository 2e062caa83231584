import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppInstance } from './app-instance.ts'

test('a point does not end before it begins when the clock of the machine is set back', t => {
  t.mock.timers.enable({ apis: ['Date'], now: 7_200_000 })
  const instance = new AppInstance({ resource: {}, timeOriginMs: 0 })
  instance.takePoints([{ metric: 'app.pool.size', value: 4 }])
  t.mock.timers.setTime(3_600_000)
  const point = instance.describe()[0]?.dataPoints[0]
  assert.deepEqual(
    [point?.startTime, point?.endTime],
    [
      [7200, 0],
      [7200, 0],
    ],
  )
})
