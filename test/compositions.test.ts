import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, test } from 'node:test'
import { computesHere } from '../app/concerns/compute/here.fixture.ts'
import { lastStep, steps } from '../app/steps.ts'
import { listen } from '../lib/http/listen.ts'
import { runCommand, startCommand } from './run-command.ts'
import { frugalFlags, serveDemo, start } from './start-stack.ts'

/** The last step, with each implementation of compute. */
const elsewhere = computesHere.map(compute => ({
  name: `${lastStep.name}, with compute/${compute}`,
  composition: { ...lastStep.composition, compute },
}))

describe('the stack', () => {
  for (const { name, composition } of elsewhere) {
    test(`serves the demo at step ${name}, and loses no line and no telemetry when it stops`, t =>
      serveDemo(t, composition))
  }
})

describe('the upstream', () => {
  const failures = [
    { what: 'an error', status: 500, body: '{"orders":[]}' },
    { what: 'what is no JSON, and no Protobuf', status: 200, body: '{"orders":[' },
    { what: 'no orders', status: 200, body: '' },
  ]
  for (const [step, serialization] of [
    ['compute', 'native'],
    [lastStep.name, 'compiled'],
  ] as const) {
    test(`that fails causes a 502 at step ${step} with serialization/${serialization}`, async t => {
      let failure: { readonly status: number; readonly body: string }
      const upstream = createServer((_request, response) =>
        response.writeHead(failure.status).end(failure.body),
      )
      const ordersUrl = await listen(upstream, '127.0.0.1', 0)
      t.after(() => upstream.close())
      const app = startCommand(t, 'app/main.ts', [
        '--port',
        '0',
        '--admin-port',
        '0',
        '--step',
        step,
        '--apm',
        'none',
        '--serialization',
        serialization,
        '--orders-url',
        ordersUrl,
        ...frugalFlags(t),
      ])
      const url = (await app.line(/\(http\)/)).split(' ').at(-2)
      for (const { what, ...answer } of failures) {
        await t.test(`by ${what}`, async () => {
          failure = answer
          const response = await fetch(`${url}/demo`)
          assert.equal(response.status, 502)
          assert.equal(((await response.json()) as { code: string }).code, 'UPSTREAM_FAILED')
        })
      }
    })
  }
})

describe('a closed loop of 50 clients', () => {
  for (const compute of ['inline', 'threads', 'processes'] as const) {
    test(`is served in turn by compute/${compute}`, async t => {
      const { composition } = steps[0] as (typeof steps)[0]
      const { url } = await start(t, {
        composition: { ...composition, compute, apm: 'none', logging: 'none' },
      })
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
  for (const logging of ['winston', 'pino', 'pino-transport', 'sidecar']) {
    test(`a file that ${logging} cannot write is reported in one line that names the option`, async () => {
      const nowhere = ['--log-file', import.meta.filename, '--log-dir', import.meta.filename]
      const flags = [
        '--port=0',
        '--admin-port=0',
        '--threads=1',
        '--apm=none',
        `--logging=${logging}`,
        ...nowhere,
      ]
      const { stderr, code } = await runCommand(
        'app/main.ts',
        flags.map(flag => flag.replace(/\.ts$/, '.ts/below')),
      )
      assert.equal(code, 1)
      assert.match(stderr, /^error: cannot (use|write log lines to) .*--log-(file|dir)\n$/)
    })
  }
})
