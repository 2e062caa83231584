import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFreePort } from '../../lib/http/listen.ts'
import { pause } from '../../loadtest/generator/load.ts'
import { boundOf, WITHOUT_LONG_TURNS } from '../advice/advise.ts'
import { measureHop } from '../advice/hop.ts'
import { loadOf } from '../commands/subject.fixture.ts'
import { withSubject } from '../commands/subject.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { percent, ratioWithin } from '../output/tables.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { readSeenTime } from '../spectrum/parts.ts'
import { byConcern, split } from '../spectrum/spectrum.ts'
import { profileCalmly } from '../watching/calm-window.ts'
import { watchProcess } from '../watching/watch-process.ts'

const ROOT = join(import.meta.dirname, '../..')
const WARMUP_MS = 3000
const WINDOW_MS = 6000

/** One of our own steps: the step before, and the concerns that leave. */
const DEMO = { path: '/demo?seed=1', run: 'ladder', others: [1, 1] } as const
const moves = [
  { from: 'monolith', to: 'compute', concerns: ['compute'], ...DEMO, others: WITHOUT_LONG_TURNS },
  { from: 'compute', to: 'serialization', concerns: ['serialization'], ...DEMO },
  { from: 'serialization', to: 'framework', concerns: ['framework'], ...DEMO },
  { from: 'framework', to: 'logging', concerns: ['logging'], ...DEMO },
  { from: 'logging', to: 'apm', concerns: ['apm'], ...DEMO },
  {
    from: 'apm',
    to: 'rendering',
    concerns: ['rendering'],
    path: '/page',
    run: 'page',
    others: WITHOUT_LONG_TURNS,
  },
  // The thread that needs the orders fetches, decodes and encodes them, and writes the lines about them.
  { from: 'rendering', to: 'upstream', concerns: ['http client', 'serialization', 'logging'], ...DEMO },
] as const

type Ratio = { readonly ratio: number; readonly ci95: readonly [number, number] }

/** The cost of a step over that of the step before, in a published run. */
function readGain(run: 'ladder' | 'page', name: string): Ratio {
  const { steps } = JSON.parse(readFileSync(join(ROOT, `docs/results/${run}.json`), 'utf8'))
  return steps.find((step: { name: string }) => step.name === name).versusPrevious.mainThreadMicros
}

for (const { from, to, concerns, path, run, others } of moves) {
  test(`the gain of the step "${to}" is within the bound that a spectrum of "${from}" gives`, async t => {
    const { mainThreadMicros, aloneMicros } = await measureHop()
    const port = await findFreePort()
    const load = loadOf(`http://127.0.0.1:${port}${path}`)
    const words = [process.execPath, join(ROOT, 'stack/main.ts'), '--step', from, '--port', String(port)]
    const { bound, share } = await withSubject(load, words, t.signal, async ({ pid, abort }) => {
      await pause(WARMUP_MS, abort)
      const [window] = await watchProcess(pid, abort, watched => profileCalmly(watched, WINDOW_MS))
      const concernOf = createConcernOf(join(import.meta.dirname, 'ours.json'))
      const spectrum = split(window, readSeenTime(window.profile, createFindOwner(ROOT), concernOf))
      const share = byConcern(spectrum)
        .filter(({ concern }) => (concerns as readonly string[]).includes(concern))
        .reduce((sum, each) => sum + each.share + each.gcShare, 0)
      const hopShareOf = (micros: number) => (micros * window.requests) / ((spectrum.cpuMs as number) * 1000)
      const hops = [hopShareOf(mainThreadMicros), hopShareOf(aloneMicros)] as const
      return { share, bound: boundOf(share, hops, spectrum, { others }) }
    })
    const gain = readGain(run, to)
    const [atBest, measured] = [
      ratioWithin(bound.costAtBest, bound.costAtBestRange),
      ratioWithin(gain.ratio, gain.ci95),
    ]
    t.diagnostic(
      `${concerns.join(', ')}: share ${percent(share)}, cost at best ${atBest}, measured ${measured}`,
    )
    // A bound is broken when even the smallest gain that the measurement allows is larger.
    assert.ok(gain.ci95[1] >= bound.costAtBestRange[0], `${atBest}, measured ${measured}`)
  })
}
