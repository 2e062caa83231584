import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { instrument } from './index.ts'

test('an option with a wrong value is refused', () => {
  const expected = 'an integer from 1 to 1024'
  for (const [options, message] of [
    [{ memoryMib: 0 }, `instrument: memoryMib expects ${expected}, received 0`],
    [{ memoryMib: Number.NaN }, `instrument: memoryMib expects ${expected}, received NaN`],
    [{ memoryMib: Number.POSITIVE_INFINITY }, `instrument: memoryMib expects ${expected}, received Infinity`],
    [{ socket: '' }, 'instrument: socket expects some text, received ""'],
    [{ memoryMiB: 4 }, 'instrument has no option memoryMiB; it has socket, memoryMib'],
  ] as const)
    assert.throws(() => instrument(options as never), { name: 'RangeError', message })
})

test('closing ends after the time that the caller names when nobody takes the records', async () => {
  const program = `import { trace } from '@opentelemetry/api'
    import { instrument } from './index.ts'
    const instrumentation = instrument({ socket: 'nobody-listens.sock' })
    trace.getTracer('shop').startSpan('lost').end()
    for (const graceMs of [-1, '1']) try { instrumentation.close({ graceMs }) } catch ({ message }) { console.log(message) }
    setTimeout(() => console.log('too late'), 2500)
    await instrumentation.close({ graceMs: 10 })
    console.log(JSON.stringify(instrumentation.spans()))
    process.exit()`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  const refused = 'close: graceMs expects a number of milliseconds from 0 to 2147483647, received'
  assert.deepEqual(stdout.trim().split('\n'), [
    `${refused} -1`,
    `${refused} "1"`,
    '{"emitted":1,"dropped":1}',
  ])
})
