import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { appOptions } from '../../app/config.ts'
import { lastStep } from '../../app/steps.ts'
import type { Results } from '../../loadtest/outcome/results.ts'
import { startCommand } from '../run-command.ts'
import { FREE_PORTS } from '../stack-parts.ts'
import { frugalFlags } from '../start-stack.ts'

describe('HOST, LOAD, STEP, THREADS and PORT of other programs', () => {
  test('change nothing at the start of the stack', async t => {
    const started = startCommand(t, 'stack/main.ts', [...FREE_PORTS, ...frugalFlags(t)])
    await started.line(/^ +try /)
    assert.ok(started.lines.some(line => line.startsWith(`step ${lastStep.name}: `)))
    const urls = started.lines.flatMap(line => line.match(/http:\S+[^/]/) ?? [])
    assert.equal(new Set(urls).size, urls.length, 'an address is printed twice')
    for (const url of urls) assert.equal(new URL(url).hostname, '127.0.0.1')
    assert.deepEqual(
      started.lines.filter(line => line.startsWith('load')),
      [],
    )
    started.child.kill('SIGINT')
    assert.deepEqual(await started.ended, [0, null])
  })

  test('change nothing in a load test', async t => {
    const short = ['--rounds', '1', '--spectrum', 'no', '--warmup', '100ms', '--duration', '500ms', '--json']
    const started = startCommand(t, 'loadtest/main.ts', ['--steps', lastStep.name, ...short])
    const stdout = text(started.child.stdout as NodeJS.ReadableStream)
    const file = (await started.line(/results go to/)).split(' ').at(-1) as string
    t.after(() => rmSync(dirname(file), { recursive: true, force: true }))
    await started.ended
    const { settings, steps } = JSON.parse(await stdout) as Results
    assert.equal(settings.threads, Number(appOptions.threads.default))
    assert.deepEqual(
      steps.map(({ name, samples: [sample] }) => [name, sample?.errors]),
      [[lastStep.name, 0]],
    )
  })
})
