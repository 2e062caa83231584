import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCores } from '../../sample/cores.ts'
import { listChildren } from '../../sample/machine.ts'
import { startSpeedometer } from './speedometer.ts'

const cores = readCores(process.pid)
const skip = cores.length === 0 && 'the system does not tell the cores of a process'

test('a process on each core measures the CPU time of constant work in a window', { skip }, async () => {
  const before = listChildren(process.pid)
  const { watch, stop } = startSpeedometer(cores)
  try {
    const { probe, read } = watch()
    await probe.opened()
    await probe.closed()
    const isMeasured = () => cores.every(core => Number.isFinite(read().get(core)))
    while (!isMeasured()) await probe.closed()
    assert.ok([...read().values()].every(micros => micros > 100 && micros < 100_000))
    const started = listChildren(process.pid).filter(pid => !before.includes(pid))
    assert.deepEqual(
      started.flatMap(readCores).toSorted((one, other) => one - other),
      cores,
    )
  } finally {
    stop()
  }
})

test('an error names the core whose process has ended', { skip }, async () => {
  const { watch, stop } = startSpeedometer(cores.slice(0, 1))
  const { probe } = watch()
  await probe.opened()
  stop()
  await assert.rejects(probe.closed(), /the process that measures the speed of core \d+ has ended/)
})
