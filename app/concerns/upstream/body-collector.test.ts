import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import type { Problem } from '../../problems.ts'
import { BodyCollector } from './body-collector.ts'

const staying = { onGone: () => () => {} }

describe('BodyCollector', () => {
  test('takes an answer that came in time while its thread was busy', async () => {
    // After this turn, due timers run before anything that came from outside is read.
    await turn()
    const { port1, port2 } = new MessageChannel()
    const outcome = new Promise((resolve, reject) => {
      const collector = new BodyCollector(1, staying, resolve, reject)
      port1.once('message', () => collector.onResponseEnd())
    })
    port2.postMessage('the answer')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    try {
      await outcome
    } finally {
      port1.close()
    }
  })

  test('fails if no answer comes in time', async () => {
    const outcome = new Promise((resolve, reject) => new BodyCollector(1, staying, resolve, reject))
    await assert.rejects(outcome, ({ code }: Problem) => code === 'UPSTREAM_TIMEOUT')
  })
})
