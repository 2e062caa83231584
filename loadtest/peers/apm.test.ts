import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { rowsOf } from '../commands/peers.ts'
import { startRow } from '../sample/subject.ts'
import type { peers } from './index.ts'
import { installed } from './install.ts'

/** Without its package a peer cannot even be loaded. */
const skip = installed() ? false : 'the peers are not installed; `npm run loadtest -- peers` does that'
/** More than the spans that an agent records besides: of connections, and of what else calls this process. */
const REQUESTS = 20

/** What each agent records of every request that calls upstream once, by its default settings. */
const spansOfRequest: Readonly<Record<keyof typeof peers.apm, number>> = {
  elastic: 2,
  datadog: 2,
  newrelic: 1,
  sentry: 4,
}

for (const [name, spans] of Object.entries(spansOfRequest))
  test(`apm/${name} delivers what it records of a request with an upstream call: ${spans}`, {
    skip,
  }, async t => {
    const directory = temporaryDirectory(t)
    const row = rowsOf('apm').find(each => each.name === name)
    const options = { note: '' }
    const stack = await startRow(row as NonNullable<typeof row>, { threads: 1 }, t.signal, directory, options)
    for (let seed = 1; seed <= REQUESTS; seed++) {
      const answer = await fetch(new URL(`/serialization?seed=${seed}`, stack.address('app')))
      assert.equal(answer.status, 200)
      await answer.text()
    }
    const { spans: counts } = await stack.stop()
    assert.equal(Math.floor((counts?.delivered ?? 0) / REQUESTS), spans)
    assert.equal(counts?.emitted, counts?.delivered)
  })
