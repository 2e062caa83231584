import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** Says in milliseconds what the clocks of the process have counted while its timers took 100 real ones. */
const program = `
  import { setTimeout as delay } from 'node:timers/promises'
  const read = () => [performance.now(), Number(process.hrtime.bigint()) / 1e6]
  const [before, from] = [read(), Date.now()]
  await new Promise(resolve => setTimeout(resolve, 5))
  await delay(5)
  const real = Date.now() - from
  console.log(JSON.stringify({ real, counted: read().map((at, index) => at - before[index]) }))
`

test('the clocks and the timers of a process run at the speed of its cores', () => {
  const clock = pathToFileURL(join(import.meta.dirname, 'slow-clock.ts'))
  const flags = ['--import', `${clock}?speed=0.1`, '--input-type=module', '--eval', program]
  const { real, counted } = JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))
  assert.ok(real >= 98, `two timers of 5 ms took ${real} real ms`)
  for (const ms of counted) assert.ok(Math.abs(ms / real - 0.1) < 0.02, `a clock counted ${ms} of ${real} ms`)
})
