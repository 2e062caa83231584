import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createMarks } from '../lib/slot-marks.ts'
import { monotonicMs } from '../lib/units.ts'
import { PageMaker } from './page-maker.ts'
import type { PageCall, PagePieces } from './protocol.ts'
import type { Renderer } from './renderer.ts'

const ORDERS = 200
const query = { seed: 1, orders: ORDERS, search: '', status: '', sort: 'placed', theme: 'auto' } as const

const renderer: Renderer = {
  render: ({ name, index }) => `<${name} ${index} ä>`,
  stream: () => assert.fail('it was streamed'),
  explain: async () => undefined,
  UpstreamDataError: Error,
}

/** Makes this number of pages at once. @returns the messages, each with its pieces, once all pages are over */
async function make(pages: number): Promise<(readonly PagePieces[])[]> {
  const messages: (readonly PagePieces[])[] = []
  const maker = new PageMaker({
    renderer,
    data: {
      fetch: () => ({
        data: Promise.resolve({ data: new Uint8Array(), type: 'any/type' }),
        times: undefined,
        cancel() {},
      }),
      describe: () => assert.fail('the data is there'),
    },
    started: createMarks(pages),
    arrived: createMarks(pages),
    send: pieces => messages.push(pieces),
  })
  const deadline = monotonicMs() + 60_000
  const envelope = { requestId: 'a', traceparent: undefined, deadline }
  const headers = { orders: {}, recommendations: {} }
  const call: PageCall = { envelope, partDeadline: deadline, query, headers, from: 0, lost: [] }
  for (let slot = 0; slot < pages; slot++) maker.begin({ slot, call })
  while (messages.flat().filter(({ isLast }) => isLast).length < pages) await turn()
  return messages
}

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
      [[0, 1, 2, 3], [4, 5, 6], [7, 8], [9, 10], [11], [12], [13], [14], [15]],
    )
  })
})
