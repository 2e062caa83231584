import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FunctionComponent } from 'react'
import { createMarks } from '../lib/threads/thread-setup.ts'
import { monotonicMs } from '../lib/units.ts'
import { loadReact } from './load-app.ts'
import { PageMaker } from './page-maker.ts'

const events: string[] = []

const Page: FunctionComponent<{ readonly url: string }> = ({ url }) => {
  events.push(`render ${url}`)
  return null
}

test('a page whose data is there at once is rendered before the data of another is read', async () => {
  const { promise: allSent, resolve } = Promise.withResolvers<void>()
  let sent = 0
  const maker = new PageMaker({
    module: {
      componentNamed: () => Page as FunctionComponent<object>,
      react: await loadReact(import.meta.url),
      load({ url }) {
        events.push(`load ${url}`)
        return { url }
      },
    },
    windowBytes: 1000,
    states: createMarks(3),
    crowded: createMarks(1),
    beats: createMarks(1),
    beatMs: 1000,
    send(chunks) {
      sent += chunks.length
      if (sent === 3) resolve()
    },
  })
  for (const [slot, url] of ['/1', '/2', '/3'].entries())
    maker.obey([{ kind: 'render', id: slot, slot, call: callOf(url) }])
  await allSent
  assert.deepEqual(events, ['load /1', 'render /1', 'load /2', 'render /2', 'load /3', 'render /3'])
})

const callOf = (url: string) => ({
  url,
  method: 'GET',
  rawHeaders: [],
  body: undefined,
  props: {},
  late: [],
  nonce: undefined,
  mode: 'string' as const,
  shellDeadline: monotonicMs() + 60_000,
  pageDeadline: monotonicMs() + 60_000,
})
