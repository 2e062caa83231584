import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppInstance } from './app-instance.ts'
import { allocate, field, RECORD_BYTES, recordKinds } from './protocol.ts'

const APP_STARTED_MS = 3_600_000
const AGENT_STARTED_MS = 7_200_000

test('histograms begin with this process, counters of the app with the app, and no point ends before it begins', t => {
  t.mock.timers.enable({ apis: ['Date'], now: AGENT_STARTED_MS })
  const instance = new AppInstance({ resource: {}, timeOriginMs: APP_STARTED_MS })
  const memory = allocate(RECORD_BYTES)
  memory.uint16[field.kind / 2] = recordKinds.server
  instance.takeRecords(memory, 0, RECORD_BYTES)
  instance.measured.takePoints([{ metric: 'app.pool.tasks', value: 4 }])
  /** The start and the end in seconds of the only point of each metric. */
  const timesAt = (nowMs: number) => {
    t.mock.timers.setTime(nowMs)
    const metrics = instance.collect().scopeMetrics[0]?.metrics ?? []
    return metrics.map(({ descriptor: { name }, dataPoints: [point] }) => [
      name,
      point?.startTime[0],
      point?.endTime[0],
    ])
  }
  const [durations, tasks] = ['http.server.request.duration', 'app.pool.tasks']
  assert.deepEqual(timesAt(AGENT_STARTED_MS + 1000), [
    [durations, 7200, 7201],
    [tasks, 3600, 7201],
  ])
  // The clock of the machine was set back.
  assert.deepEqual(timesAt(0), [
    [durations, 7200, 7200],
    [tasks, 3600, 3600],
  ])
})
