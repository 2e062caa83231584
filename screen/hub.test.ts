import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { Hub, MAX_VIEWERS } from './hub.ts'

const SECOND_MS = 1000

/** A page that may stop reading. */
function newPage() {
  const page = Object.assign(new EventEmitter(), {
    events: [] as string[],
    reads: true,
    state: 'open',
    socket: null,
    writeHead() {},
    write(event: string) {
      page.events.push(event)
      return page.reads
    },
    end(event = '') {
      if (event) page.events.push(event)
      page.state = 'ended'
    },
    destroy() {
      page.state = 'destroyed'
      page.emit('close')
    },
    /** The texts of the messages that it was told. */
    told: () => messagesOf(page.events).flatMap(({ text }) => text ?? []),
    lastId: () => Number(/^id: (\d+)/.exec(page.events.findLast(event => event.startsWith('id')) ?? '')?.[1]),
  })
  return page
}

const messagesOf = (events: readonly string[]) =>
  events.map((event): { kind: string; text?: string; nowMs?: number } =>
    JSON.parse(event.replace(/^(id: \d+\n)?data: /, '')),
  )

function start(t: TestContext, { maxMessages = 1000, maxBytes = 2 ** 20 } = {}) {
  const hub = new Hub<{ kind: string; text: string }>({ maxMessages, maxBytes })
  t.after(() => hub.close())
  return {
    hub,
    tell: (text: string, name?: string) => hub.tell({ kind: 'test', text }, name),
    watch(page = newPage(), afterId = 0) {
      hub.watch(page as unknown as ServerResponse, afterId)
      return page
    },
  }
}

describe('a hub', () => {
  test('greets a page with its time, and tells it what was kept and not cleared, in order, and of a name only the last', t => {
    const { hub, tell, watch } = start(t)
    for (const text of ['a', 'b']) tell(text, 'state')
    for (const text of ['c', 'd']) tell(text)
    tell('e', 'state')
    const page = watch()
    const [hello] = messagesOf(page.events)
    assert.equal(hello?.kind, 'hello')
    assert.ok((hello.nowMs ?? 0) <= hub.nowMs && hub.nowMs - (hello.nowMs ?? 0) < 60_000)
    tell('f')
    assert.deepEqual(page.told(), ['c', 'd', 'e', 'f'])
    hub.clear()
    tell('g')
    assert.deepEqual(watch().told(), ['g'])
  })

  test('tells a page that comes back what it missed, and a page whose clock is ahead everything', t => {
    const { tell, watch } = start(t)
    tell('a')
    const page = watch()
    for (const text of ['b', 'c']) tell(text)
    assert.deepEqual(watch(newPage(), page.lastId()).told(), [])
    tell('d')
    assert.deepEqual(watch(newPage(), page.lastId() - 1).told(), ['d'])
    assert.deepEqual(watch(newPage(), Date.now() + 3_600_000).told(), ['a', 'b', 'c', 'd'])
  })

  test('keeps a limited number of messages and bytes', t => {
    const few = start(t, { maxMessages: 2 })
    for (const text of ['a', 'b', 'c']) few.tell(text)
    assert.deepEqual(few.watch().told(), ['b', 'c'])
    const small = start(t, { maxBytes: 5000 })
    for (let count = 0; count < 100; count++) small.tell('x'.repeat(1000))
    assert.equal(small.watch().told().length, 4)
  })

  test('waits for a page that does not read, which gets the rest later, and does not wait for others', t => {
    const { tell, watch } = start(t)
    const [slow, quick] = [newPage(), newPage()]
    slow.reads = false
    for (const page of [slow, quick]) watch(page)
    for (const text of ['a', 'b', 'c']) tell(text)
    assert.deepEqual([slow.told(), quick.told()], [[], ['a', 'b', 'c']])
    slow.emit('drain')
    assert.deepEqual(slow.told(), ['a'])
    slow.reads = true
    slow.emit('drain')
    assert.deepEqual(slow.told(), ['a', 'b', 'c'])
  })

  test('closes a page that has not read for ten seconds, and tells the others every two seconds that it is there', t => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { hub, watch } = start(t)
    const [slow, quick] = [newPage(), newPage()]
    slow.reads = false
    for (const page of [slow, quick]) watch(page)
    const nowMs = performance.now()
    t.mock.method(performance, 'now', () => nowMs + 11 * SECOND_MS)
    t.mock.timers.tick(2 * SECOND_MS)
    assert.deepEqual([slow.state, quick.state], ['destroyed', 'open'])
    assert.deepEqual(
      messagesOf(quick.events).map(({ kind }) => kind),
      ['hello', 'hello'],
    )
    assert.equal(hub.hasViewers, true)
  })

  test('has a limited number of pages, and a further one gets a message', t => {
    const { tell, watch } = start(t)
    const pages = Array.from({ length: MAX_VIEWERS + 1 }, () => watch())
    const last = pages.pop()
    assert.deepEqual([last?.events, last?.state], [['data: {"kind":"full"}\n\n'], 'ended'])
    tell('a')
    assert.ok(pages.every(page => page.told().length === 1) && last?.events.length === 1)
  })
})
