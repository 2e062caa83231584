import assert from 'node:assert/strict'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Numbered } from './numbered.ts'

setFlagsFromString('--expose-gc')
const collectAll = runInNewContext('gc') as () => void

/** Adds and deletes many values, of which eight are there at a time. @returns the number of collections of all objects */
async function churn(
  add: (id: number, value: object) => void,
  remove: (id: number) => void,
): Promise<number> {
  let collections = 0
  const observer = new PerformanceObserver(list => {
    for (const { detail } of list.getEntries() as unknown as { readonly detail: { readonly kind: number } }[])
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR) collections++
  })
  observer.observe({ entryTypes: ['gc'] })
  for (let id = 1; id <= 400_000; id++) {
    add(id, { id, data: new Array(64).fill(id) })
    remove(id - 8)
    // It moves all that is in use to the old generation.
    if (id === 1000) collectAll()
    if (id % 1000 === 0) await turn()
  }
  observer.disconnect()
  return collections
}

test('what was deleted survives no collection of young objects, as it does in a Map', async () => {
  const numbered = new Numbered<object>()
  const map = new Map<number, object>()
  const ours = await churn(numbered.add.bind(numbered), numbered.delete.bind(numbered))
  const theirs = await churn(map.set.bind(map), map.delete.bind(map))
  assert.ok(ours < theirs, `${ours} collections of all objects, and ${theirs} with a Map`)
  assert.deepEqual([numbered.size, numbered.entries().length], [8, 8])
  assert.deepEqual(numbered.entries()[0], [399_993, numbered.get(399_993)])
})
