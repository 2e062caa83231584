import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { watchCollections } from './usage.ts'

test('garbage collections are counted from the first call on', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  assert.equal(watchCollections().count, 0)
  for (let made = 0; made < 3; made++) collect()
  while (watchCollections().count < 3) await turn()
})
