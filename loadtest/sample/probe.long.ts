import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastStep } from '../../app/steps.ts'
import type { Settings } from '../outcome/results.ts'
import { createProfiler } from '../spectrum/profiler.ts'
import { readSelfTime } from '../spectrum/split.ts'
import { selectRow } from './rows.ts'
import type { Probe } from './subject.ts'
import { takeSample } from './take-sample.ts'

const settings = {
  scenario: 'demo',
  connections: 5,
  threads: 1,
  warmupSeconds: 0.2,
  durationSeconds: 1,
  beside: null,
  seed: 1,
} as Settings

const sampleWith = (probe: Probe) =>
  takeSample(selectRow(lastStep.name, {}), 1, settings, new AbortController().signal, probe)

const { compute, rendering } = lastStep.composition
const withPools: readonly string[] = [compute, rendering]
const pools = withPools.filter(name => name === 'threads')

describe('a probe', () => {
  test('profiles every thread that runs JavaScript, and the sample is whole', async () => {
    const { probe, profiles } = createProfiler()
    const sample = await sampleWith(probe)
    assert.deepEqual([sample.errors, sample.wrongBodies, sample.ledger.logLines.dropped], [0, 0, 0])
    assert.equal(profiles[0]?.thread, 'main')
    assert.equal(profiles.length, 1 + pools.length, 'a thread a pool')
    for (const { thread, profile, cpuMicros } of profiles) {
      const { compute: tasks, idle, ...others } = readSelfTime(profile)
      assert.ok(cpuMicros > 0, thread)
      if (thread !== 'worker 1') continue
      const busy = Object.values(others).reduce((sum, micros) => sum + micros, tasks)
      assert.ok(tasks > busy / 2, `${tasks} of ${busy} µs in compute`)
    }
  })

  test('that cannot look fails the sample, and nothing stays behind', async () => {
    const broken: Probe = { ...createProfiler().probe, opened: () => Promise.reject(new Error('blind')) }
    await assert.rejects(sampleWith(broken), /blind/)
  })
})
