import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppInstance } from './app-instance.ts'
import { allocate, field, RECORD_BYTES, recordKinds } from './protocol.ts'

const APP_STARTED_MS = 3_600_000
const AGENT_STARTED_MS = 7_200_000

/** The start and the end in seconds of the only point of each metric. */
function readTimes(instance: AppInstance) {
  return instance
    .collect()
    .scopeMetrics[0]?.metrics.map(({ descriptor: { name }, dataPoints: [point] }) => [
      name,
      point?.startTime[0],
      point?.endTime[0],
    ])
}

describe('the times of points', () => {
  test('histograms begin with this process, and counters of the app with the app', t => {
    t.mock.timers.enable({ apis: ['Date'], now: AGENT_STARTED_MS })
    const instance = new AppInstance({ resource: {}, timeOriginMs: APP_STARTED_MS })
    const memory = allocate(RECORD_BYTES)
    memory.uint16[field.kind / 2] = recordKinds.server
    instance.takeRecords(memory, 0, RECORD_BYTES)
    instance.takePoints([{ metric: 'app.pool.tasks', value: 4 }])
    t.mock.timers.setTime(AGENT_STARTED_MS + 1000)
    assert.deepEqual(readTimes(instance), [
      ['http.server.request.duration', 7200, 7201],
      ['app.pool.tasks', 3600, 7201],
    ])
  })

  test('a point does not end before it begins when the clock of the machine is set back', t => {
    t.mock.timers.enable({ apis: ['Date'], now: AGENT_STARTED_MS })
    const instance = new AppInstance({ resource: {}, timeOriginMs: AGENT_STARTED_MS })
    instance.takePoints([{ metric: 'app.pool.size', value: 4 }])
    t.mock.timers.setTime(APP_STARTED_MS)
    assert.deepEqual(readTimes(instance), [['app.pool.size', 7200, 7200]])
  })
})
