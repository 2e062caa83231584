import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { Results } from '../../loadtest/outcome/results.ts'
import { firstUpdate } from '../live-events.ts'
import { runCommand, startCommand } from '../run-command.ts'

/** With this seed the first row of the table is the first to be measured. */
const MONOLITHS_FIRST = '8'

/** A light load of brief windows. */
const brief = ['--connections', '2', '--warmup', '100ms', '--duration', '500ms']

describe('the load test', () => {
  test('that is interrupted reports the samples so far', async t => {
    const flags = ['equal-cores', '--threads', '1', '--rounds', '9', '--seed', MONOLITHS_FIRST, '--json']
    const started = startCommand(t, 'loadtest/main.ts', [...flags, ...brief, '--verbose'])
    const stdout = text(started.child.stdout as NodeJS.ReadableStream)
    const file = (await started.line(/results go to/)).split(' ').at(-1) as string
    t.after(() => rmSync(dirname(file), { recursive: true, force: true }))
    await started.line(/^\[block/)
    started.child.kill('SIGINT')
    const [code] = await started.ended
    const results = JSON.parse(await stdout) as Results
    assert.equal(code, 1)
    assert.equal(started.lines.at(-1), `error: interrupted; the partial results are in ${file}`)

    await t.test('with rows that use the same cores in several ways, and a load beside them', () => {
      const [monoliths, threads, both] = results.steps
      assert.deepEqual(threads?.app, { threads: 1 })
      assert.deepEqual(both?.app, { ...monoliths?.app, threads: 1 })
      const { mainThreadMicros, memoryMiB, besideGoodput, besideLatencyMs, ledger } =
        monoliths?.samples[0] ?? assert.fail()
      assert.ok(mainThreadMicros > 0 && memoryMiB !== 0 && (besideGoodput as number) > 0)
      assert.ok((besideLatencyMs?.p99 as number) > 0)
      assert.equal(ledger.logLines.emitted, ledger.logLines.delivered)
    })
  })

  test('prints the address of the live page, which names the measured row', async t => {
    const load = ['--connections', '1', '--warmup', '1s', '--duration', '9s']
    const flags = ['open', '--step', 'monolith', '--rate', '20', '--rounds', '1', ...load]
    const started = startCommand(t, 'loadtest/main.ts', flags)
    const file = (await started.line(/results go to/)).split(' ').at(-1) as string
    t.after(() => rmSync(dirname(file), { recursive: true, force: true }))
    const [, url] = /^watch (\S+)/.exec(await started.line(/^watch /)) as unknown as [string, string]
    const { note, app } = await firstUpdate(url, ({ goodput }) => goodput > 0)
    assert.match(note, /^block 1: monolith at 20\/s, demo$/)
    assert.equal(app?.name, 'monolith')
    started.child.kill('SIGINT')
    await started.ended
  })

  test('measures a stack several times with --quick, and its ledger closes over all of them', async t => {
    const flags = ['--quick', '--steps', 'monolith', '--rounds', '2', '--json', ...brief]
    const { stdout, stderr } = await runCommand('loadtest/main.ts', flags)
    const [, file = ''] = /results go to (\S+)/.exec(stderr) ?? []
    t.after(() => rmSync(dirname(file), { recursive: true, force: true }))
    const { steps } = JSON.parse(stdout) as Results
    const [first, last, ...others] = steps[0]?.samples ?? []
    assert.ok(first?.valid && last?.valid && others.length === 0)
    assert.equal(first.ledger.spans.emitted, 0)
    assert.ok((last.ledger.logLines.delivered ?? 0) >= 10 * (first.responses + last.responses))
  })
})
