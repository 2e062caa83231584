import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { namesOfPeers } from '../../loadtest/commands/peers/comparisons.ts'
import { describePackages } from '../output/tables.ts'
import type { Advice } from './advise.ts'
import { gains, type Measured, peers, readPeer } from './gains.ts'
import { pools, ways } from './ways.ts'

test('the cost of a peer comes from a published run, and without one there is no figure', t => {
  const results = mkdtempSync(join(tmpdir(), 'results-'))
  t.after(() => rmSync(results, { recursive: true }))
  assert.equal(readPeer('peersCompute', 'piscina', results), undefined)
  const versusFirst = { mainThreadMicros: { ratio: 1.5, ci95: [1.4, 1.6] } }
  const steps = [{ name: 'threads' }, { name: 'piscina', versusFirst }]
  writeFileSync(join(results, 'peersCompute.json'), JSON.stringify({ steps }))
  const versusOurs = readPeer('peersCompute', 'piscina', results) ?? null
  assert.deepEqual(versusOurs, { ratio: 1.5, ci95: [1.4, 1.6], command: 'npm run loadtest -- peers' })
  assert.equal(readPeer('peersCompute', 'tinypool', results), undefined)

  const textOf = (each: Measured | null) =>
    describePackages({
      packages: [{ name: 'piscina', what: 'a pool', code: '', versusOurs: each }],
    } as unknown as Advice)[0]?.text
  assert.match(textOf(versusOurs) ?? '', /main thread 1\.50 × \[1\.40, 1\.60\] as much as with ours/)
  assert.equal(textOf(null), 'piscina (a pool)')
})

test('the advice names steps that have a gain, and peers that runs of peers have', () => {
  const all = Object.values(ways)
  const named = all.flatMap(({ packages = [] }) => (packages === 'pools' ? pools : packages))
  const sorted = (names: readonly (string | undefined)[]) => [...new Set(names.filter(Boolean))].sort()
  assert.deepEqual(sorted(all.map(({ example }) => example)), Object.keys(gains).sort())
  assert.deepEqual(sorted(named.map(({ peer }) => peer)), Object.keys(peers).sort())
  const names = [...namesOfPeers('compute'), ...namesOfPeers('logging')]
  for (const name of Object.keys(peers)) assert.ok(names.includes(name), name)
})
