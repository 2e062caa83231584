import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { namesOf } from '../../concerns.ts'
import { byTheClient, start, testContract } from './contract.fixture.ts'

for (const name of namesOf('upstream')) {
  testContract(name, `upstream/${name}`, byTheClient)

  describe(`upstream/${name} on the main thread`, () => {
    test('does not count a timeout as an upstream failure when this process was stopped', async t => {
      const { codeOf, changes, server } = await start(t, name, () => {}, { timeoutMs: 100 })
      const asked = Array.from({ length: 40 }, () => codeOf())
      await once(server, 'request')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200)
      assert.deepEqual(new Set(await Promise.all(asked)), new Set(['UPSTREAM_TIMEOUT']))
      assert.deepEqual(changes, [])
    })
  })
}
