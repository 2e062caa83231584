import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createMarks } from '../lib/threads/slot-marks.ts'
import { monotonicMs } from '../lib/units.ts'
import { PageMaker } from './page-maker.ts'
import type { PageCall, PagePieces } from './protocol.ts'
import type { Renderer } from './renderer.ts'

const ORDERS = 200
const SLOTS = 64
const query = { seed: 1, orders: ORDERS, search: '', status: '', sort: 'placed', theme: 'auto' } as const

const renderer: Renderer = {
  render: ({ name, index }) => `<${name} ${index} ä>`,
  stream: () => assert.fail('it was streamed'),
  explain: async () => undefined,
  UpstreamDataError: Error,
}

const arrived = Promise.resolve({ data: new Uint8Array(), type: 'any/type' })

/** Starts a maker of pages, whose data is there at once unless it is given. */
function start(data: Promise<Awaited<typeof arrived>> = arrived) {
  const messages: (readonly PagePieces[])[] = []
  const fetchedFor: string[] = []
  const awaited = createMarks(SLOTS)
  const maker = new PageMaker({
    renderer,
    data: {
      fetch(_, { envelope }) {
        fetchedFor.push(envelope.requestId)
        return { data, times: undefined, cancel() {} }
      },
      describe: () => assert.fail('the data is there'),
    },
    started: createMarks(SLOTS),
    awaited,
    send: pieces => messages.push(pieces),
  })
  const deadline = monotonicMs() + 60_000
  const headers = { orders: {}, recommendations: {} }
  const callOf = (slot: number): PageCall => {
    const envelope = { requestId: String(slot), traceparent: undefined, deadline }
    return { envelope, partDeadline: deadline, query, headers, from: 0, lost: [] }
  }
  return {
    messages,
    /** The slots of the pages whose data was asked for, in turn. */
    begun: () => [...new Set(fetchedFor)].map(Number),
    make(slots: readonly number[]) {
      for (const slot of slots) maker.make({ slot, call: callOf(slot) })
    },
    leave: (slot: number) => maker.leave({ kind: 'leave', slot, isClientGone: true }),
    /** The slots of the pages whose data is awaited. */
    awaiting: () => slots(SLOTS).filter(slot => awaited[slot] !== 0),
    /** The slots of the pages that are over, in turn. */
    over: () => messages.flat().flatMap(({ slot, isLast }) => (isLast ? [slot] : [])),
    async untilOver(pages: number) {
      while (this.over().length < pages) await turn()
    },
  }
}

/** Makes this number of pages at once. @returns the messages, each with its pieces, once all pages are over */
async function make(pages: number): Promise<(readonly PagePieces[])[]> {
  const maker = start()
  maker.make(slots(pages))
  await maker.untilOver(pages)
  return maker.messages
}

const slots = (pages: number, from = 0) => Array.from({ length: pages }, (_, index) => from + index)

describe('a render thread', () => {
  test('sends a page as one buffer if all its data has arrived', async () => {
    const [[pieces] = [], ...others] = await make(1)
    assert.equal(others.length, 0)
    const html = Buffer.from(pieces?.html ?? []).toString()
    const parts = ['summary 0', 'orders 0', 'orders 1', 'orders 2', 'recommendations 0']
    assert.deepEqual(html.match(/(?<=<)\w+ \d(?= ä>)/g), parts)
    assert.ok(html.startsWith('<!DOCTYPE html>') && html.endsWith('</html>'), html)
  })

  test('sends pages together while many are open, and the last at once', async () => {
    const messages = await make(16)
    assert.deepEqual(
      messages.map(pieces => pieces.map(({ slot }) => slot)),
      [[0, 1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11], [12], [13], [14], [15]],
    )
  })

  test('begins all pages while it has nothing to render', () => {
    const maker = start(new Promise(() => {}))
    maker.make(slots(SLOTS))
    assert.deepEqual(maker.begun(), slots(SLOTS))
    assert.deepEqual(maker.awaiting(), slots(SLOTS))
  })

  test('leaves new pages waiting while it has enough to render, and begins all at once that are wanted', async () => {
    const maker = start()
    maker.make(slots(16))
    await arrived
    maker.make(slots(4, 16))
    assert.deepEqual(maker.begun(), slots(16))
    assert.deepEqual(
      maker.awaiting(),
      [],
      'data that has arrived, or that nobody has asked for, is not awaited',
    )
    maker.leave(17)
    while (maker.begun().length === 16) await turn()
    assert.deepEqual(maker.begun(), [...slots(17), 18, 19])
    assert.ok(maker.over().length < 16, 'it still had pages to render')
    await maker.untilOver(20)
  })
})
