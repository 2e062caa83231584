import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Metrics } from './metrics.ts'
import { FINISH_LIMIT_MS } from './options.ts'
import { followPipe } from './pipe.ts'
import type { Target } from './targets/contract.ts'

test('a pipe whose writer does not end it is left after the time limit of a stop, with half a line', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const got: string[] = []
  const arrived = Promise.withResolvers<void>()
  const deliver: Target['deliver'] = async records => {
    got.push(...records.map(({ line }) => line))
    arrived.resolve()
    return []
  }
  const targets = [{ name: 'one', deliver, close: async () => {} }]
  const [input, metrics, finish] = [new PassThrough(), new Metrics(), new AbortController()]
  const followed = followPipe(input, { targets, metrics, finish: finish.signal, logDirectory: 'nowhere' })
  input.write('{"n":1}\n\n\n{"n":2}\n{"n":3}')
  await arrived.promise
  // The delivery has ended, so the stop does not give its target up.
  await turn()
  finish.abort()
  t.mock.timers.tick(FINISH_LIMIT_MS)
  await followed
  assert.deepEqual(got, ['{"n":1}', '{"n":2}', '{"n":3}'])
  assert.deepEqual(metrics.countLines(), { delivered: 3, dropped: 0, rejected: 0 })
})
