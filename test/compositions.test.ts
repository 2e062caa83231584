import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../app/app.ts'
import { appOptions } from '../app/config.ts'
import { lastStep } from '../app/steps.ts'
import { parseOptions, toFlags } from '../lib/cli/command-line.ts'
import { type CommandLine, type Outcome, runCommandLines } from './run-command.ts'
import { lightest } from './stack-parts.ts'
import { serveDemo } from './start-stack.ts'

test('the stack serves the demo with child processes, also while it stops, and loses no line and no telemetry', t =>
  serveDemo(t, { ...lastStep.composition, compute: 'processes' }))

describe('a closed loop of 50 clients', () => {
  for (const compute of ['threads', 'processes'] as const) {
    test(`is served in turn by compute/${compute}`, async t => {
      const flags = toFlags({ ...lightest, upstream: 'main', compute, threads: 1, port: 0, adminPort: 0 })
      const app = await startApp(parseOptions(appOptions, flags).values)
      t.after(() => app.close())
      const url = app.addresses.http
      const served = new Array<number>(50).fill(0)
      // A client whose connection is there already would be served more often than one that still connects.
      await Promise.all(served.map(async () => (await fetch(`${url}/hello`)).arrayBuffer()))
      let total = 0
      await Promise.all(
        served.map(async (_, client) => {
          while (total < 500) {
            await (await fetch(`${url}/cpu?size=8&seed=${client}`)).arrayBuffer()
            served[client] = (served[client] as number) + 1
            total++
          }
        }),
      )
      const [least, most] = [Math.min(...served), Math.max(...served)]
      assert.ok(least >= 5 && most <= 15, `10 answers each are fair; the clients got ${least} to ${most}`)
    })
  }
})

describe('logging', () => {
  const loggers = ['winston', 'pino', 'pino-transport', 'sidecar']
  const below = `${import.meta.filename}/below`
  const others = [
    '--port=0',
    '--admin-port=0',
    '--threads=1',
    '--apm=none',
    `--log-file=${below}`,
    `--log-dir=${below}`,
  ]
  test('to a file that cannot be written is reported in one line that names the option', async () => {
    const outcomes = await runCommandLines(
      loggers.map((logging): CommandLine => ['app/main.ts', `--logging=${logging}`, ...others]),
    )
    for (const [index, logging] of loggers.entries()) {
      const { stderr, code } = outcomes[index] as Outcome
      assert.equal(code, 1, logging)
      assert.match(stderr, /^error: cannot (use|write log lines to) .*--log-(file|dir)\n$/, logging)
    }
  })
})
