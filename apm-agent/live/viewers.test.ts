import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { History } from './history.ts'
import { MAX_VIEWERS, serialize, Viewers } from './viewers.ts'

const SECOND_MS = 1000
const isHistory = (text: string) => text.includes('"history"')

/** A page that may stop reading. */
function newPage() {
  const page = Object.assign(new EventEmitter(), {
    told: [] as string[],
    reads: true,
    state: 'open',
    writeHead() {},
    write(event: string) {
      page.told.push(event)
      return page.reads
    },
    end(event = '') {
      page.told.push(event)
      page.state = 'ended'
    },
    destroy() {
      page.state = 'destroyed'
    },
  })
  return page
}

function newViewers() {
  const history = new History()
  const app = { instance: 'one' } as never
  let atMs = 0
  const viewers = new Viewers({
    after: afterMs => history.after(afterMs),
    describe: ({ updates }) => `{"kind":"history","updates":[${updates.join()}]}`,
    nowMs: () => performance.now(),
  })
  return {
    viewers,
    watch(page: ReturnType<typeof newPage>) {
      viewers.add(page as unknown as ServerResponse, 0)
      return page
    },
    update(padding = '') {
      atMs++
      viewers.tell(history.keep({ atMs, app: 'one', padding } as never, app).json, atMs)
    },
  }
}

describe('viewers', () => {
  test('get a long history in portions, as fast as they read', () => {
    const { watch, update } = newViewers()
    for (let count = 0; count < 10; count++) update('x'.repeat(40_000))
    const page = newPage()
    page.reads = false
    watch(page)
    assert.equal(page.told.length, 1)
    page.reads = true
    page.emit('drain')
    assert.equal(page.told.length, 5)
    const times = page.told.join('').match(/(?<="atMs":)\d+/g)
    assert.deepEqual(times?.map(Number), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('that do not read get missed updates later, and the others get them at once', () => {
    const { watch, update } = newViewers()
    const [slow, quick] = [newPage(), newPage()]
    slow.reads = false
    watch(slow)
    watch(quick)
    for (let count = 0; count < 3; count++) update()
    assert.deepEqual([slow.told.length, quick.told.length], [1, 4])
    slow.emit('drain')
    assert.ok(slow.told.length === 2 && isHistory(slow.told[1] as string))
  })

  test('that have not read for ten seconds are disconnected', () => {
    const { viewers, watch } = newViewers()
    const [slow, quick] = [newPage(), newPage()]
    slow.reads = false
    watch(slow)
    watch(quick)
    viewers.lookAfter(performance.now() + 11 * SECOND_MS)
    assert.deepEqual([slow.state, quick.state], ['destroyed', 'open'])
  })

  test('connect again every two minutes, and lose their seat otherwise', () => {
    const { viewers, watch } = newViewers()
    const page = watch(newPage())
    viewers.lookAfter(performance.now() + 121 * SECOND_MS)
    assert.deepEqual([page.told.at(-1), page.state], ['data: {"kind":"again"}\n\n', 'ended'])
    assert.equal(viewers.areThere, false)
  })

  test('are limited in number, and a further one gets a message', () => {
    const { viewers, watch } = newViewers()
    const pages = Array.from({ length: MAX_VIEWERS + 1 }, () => watch(newPage()))
    const last = pages.pop()
    assert.deepEqual([last?.told, last?.state], [['data: {"kind":"full"}\n\n'], 'ended'])
    viewers.tell(serialize({ kind: 'silence' }))
    assert.ok(pages.every(({ told }) => told.length === 2) && last?.told.length === 1)
  })
})
