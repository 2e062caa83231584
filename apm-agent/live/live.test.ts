import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../../lib/http/listen.ts'
import type { LiveMessage } from '../../screen/live-messages.ts'
import { describeTestApp, pulseOf } from '../../test/pulses.ts'
import { DeliveredLines } from './delivered-lines.ts'
import type { Deliveries } from './group.ts'
import { middleOf } from './latency-buckets.ts'
import { Live } from './live.ts'

function newLive(t: TestContext, deliveries: Partial<Deliveries> = {}): Live {
  const of = () => ({ spans: 1200, metricPoints: 20 })
  const live = new Live({ note: 'a test', deliveries: { of, readLines: () => 3000, ...deliveries } })
  t.after(() => live.close())
  return live
}

/** A page that keeps the messages that it gets. */
function watch(live: Live, afterMs = 0) {
  const told: LiveMessage[] = []
  const response = Object.assign(new EventEmitter(), {
    writeHead() {},
    write: (event: string) => told.push(JSON.parse(event.replace(/^(id: \d+\n)?data: /, ''))),
    end() {},
  })
  live.hub.watch(response as unknown as ServerResponse, afterMs)
  return {
    told,
    of: <K extends LiveMessage['kind']>(kind: K) =>
      told.filter((message): message is Extract<LiveMessage, { kind: K }> => message.kind === kind),
  }
}

/** What a page that comes now gets. */
function historyOf(live: Live) {
  const page = watch(live)
  return {
    note: page.of('run').at(-1)?.note,
    nowMs: page.of('hello')[0]?.nowMs ?? assert.fail(),
    updates: page.of('update').map(({ update }) => update),
  }
}

/** One of two instances of an app. */
const instance = (number: number) =>
  describeTestApp({ instance: `number ${number}`, place: { group: 'both', number, of: 2 } })

describe('live', () => {
  test('describes its app once, and has an update from the second pulse on', t => {
    const live = newLive(t)
    const { told, of } = watch(live)
    for (const count of [1, 2, 3]) live.take(pulseOf(count))
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ['hello', 'run', 'app', 'run', 'update', 'update'],
    )
    assert.equal(of('app')[0]?.app.name, 'compute')
    const times = of('update').map(({ update }) => update.atMs)
    assert.equal((times[1] as number) - (times[0] as number), 500)
    assert.equal(of('update')[1]?.update.goodput, 200)
  })

  test('shows the app that started last, and no longer the one before', t => {
    const live = newLive(t)
    const { of } = watch(live)
    const next = describeTestApp({ instance: 'two', startedAtMs: Date.now() + 2000 })
    for (const count of [1, 2]) live.take(pulseOf(count))
    for (const count of [1, 2]) live.take(pulseOf(count, next))
    live.take(pulseOf(3))
    assert.deepEqual(
      of('update').map(({ update }) => update.app),
      ['one', 'two'],
    )
  })

  test('adds up the instances of an app once each has sent a pulse', t => {
    const live = newLive(t)
    const { of } = watch(live)
    for (const count of [1, 2, 3]) for (const number of [2, 1]) live.take(pulseOf(count, instance(number)))
    const updates = of('update')
    assert.deepEqual([of('app').length, of('app')[0]?.app.instance], [1, 'both'])
    assert.deepEqual(
      updates.map(({ update }) => update.app),
      ['both', 'both'],
    )
    const last = updates.at(-1)?.update ?? assert.fail()
    const { goodput, lanes, pools, ledger, ceiling, costMicros, busy } = last
    assert.deepEqual([goodput, costMicros, ceiling, busy], [400, 500, 4000, 0.1])
    const names = ['1: main', '1: compute 1', '2: main', '2: compute 1']
    assert.deepEqual([lanes.map(({ name }) => name), pools.length], [names, 2])
    assert.deepEqual(ledger.logLines, { emitted: 5000, delivered: 4995 })
    assert.deepEqual(ledger.spans, { emitted: 2000, delivered: 2400 })
  })

  test('continues without an instance that died, and with its replacement', t => {
    const live = newLive(t)
    const { of } = watch(live)
    for (const count of [1, 2]) for (const number of [1, 2]) live.take(pulseOf(count, instance(number)))
    for (const count of [3, 4]) live.take(pulseOf(count, instance(1)))
    const next = { ...instance(2), instance: 'two again', startedAtMs: Date.now() + 9000 }
    for (const count of [5, 6]) {
      live.take(pulseOf(count - 4, next))
      live.take(pulseOf(count, instance(1)))
    }
    const apps = of('update').map(({ update }) => update.app)
    assert.ok(apps.length >= 4 && apps.every(app => app === 'both'))
  })

  test('counts emitted and delivered items from the same moment, and of an app that starts later, all', t => {
    const ledgerOf = (startedAtMs: number) => {
      const reads = [{ spans: 300, metricPoints: 5 }]
      const live = newLive(t, { of: () => reads.shift() ?? { spans: 700, metricPoints: 15 } })
      for (const count of [1, 2]) live.take(pulseOf(count, describeTestApp({ startedAtMs })))
      return historyOf(live).updates.at(-1)?.ledger
    }
    assert.deepEqual(ledgerOf(Date.now() - 60_000), {
      logLines: { emitted: 1000, delivered: 999 },
      spans: { emitted: 400, delivered: 400 },
      metricPoints: { emitted: 10, delivered: 10 },
    })
    assert.deepEqual(ledgerOf(Date.now() + 1000), {
      logLines: { emitted: 2000, delivered: 1998 },
      spans: { emitted: 800, delivered: 300 },
      metricPoints: { emitted: 20, delivered: 5 },
    })
  })

  test('counts the lines that logger-transport delivered before the first update, but not those of an earlier app', t => {
    const lines = [100, 1900]
    const live = newLive(t, { readLines: () => lines.shift() ?? null })
    const app = describeTestApp({ composition: { logging: 'sidecar' } })
    for (const count of [1, 2]) live.take(pulseOf(count, app))
    assert.deepEqual(historyOf(live).updates.at(-1)?.ledger.logLines, { emitted: 2000, delivered: 1800 })
  })

  test('continues the count of delivered lines when logger-transport starts again', async t => {
    const told = [100, 400, 50, 150]
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ logLines: { delivered: told.shift() } })),
    )
    const lines = new DeliveredLines(await listen(server, '127.0.0.1', 0))
    t.after(() => server.close())
    const counts = [lines.count]
    while (told.length > 0) {
      await lines.refresh()
      counts.push(lines.count)
    }
    assert.deepEqual(counts, [null, 100, 400, 450, 550])
  })

  test('counts all lines of a logger-transport that starts after apm-agent', async t => {
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ logLines: { delivered: 70 } })),
    )
    const url = await listen(server, '127.0.0.1', 0)
    server.close()
    const lines = new DeliveredLines(url)
    await lines.refresh()
    assert.equal(lines.count, 0)
    await listen(server, '127.0.0.1', Number(new URL(url).port))
    t.after(() => server.close())
    await lines.refresh()
    assert.equal(lines.count, 70)
  })

  test('shows its updates at their places after the clock of the machine was set', t => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const live = newLive(t)
    for (const count of [1, 2]) live.take(pulseOf(count))
    t.mock.timers.tick(3_600_000)
    const { nowMs, updates } = historyOf(live)
    const agoMs = nowMs - (updates[0]?.atMs ?? 0)
    assert.ok(Math.abs(agoMs) < 60_000, `${agoMs} ms ago`)
  })

  test('shows the latencies of clients while a generator reports them, and its note, also on pages that are open', t => {
    const live = newLive(t)
    const { of } = watch(live)
    for (const count of [1, 2]) live.take(pulseOf(count))
    live.takeReport({ latencies: [[600, 10]], note: 'asks for /page' })
    live.takeReport({ latencies: [] })
    live.take(pulseOf(3))
    const { note, updates } = historyOf(live)
    assert.equal(note, 'asks for /page')
    assert.equal(of('run').at(-1)?.note, note)
    assert.deepEqual(
      updates.map(({ latencyAt }) => latencyAt),
      ['server', 'client'],
    )
    assert.equal(updates[1]?.latencyMs?.p50, Number(middleOf(600).toPrecision(4)))
  })
})
