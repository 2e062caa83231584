import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFreePort } from '../../lib/http/listen.ts'
import { pause } from '../../loadtest/generator/load.ts'
import { loadOf } from '../commands/subject.fixture.ts'
import { withSubject } from '../commands/subject.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { percent } from '../output/tables.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { readSeenTime } from '../spectrum/parts.ts'
import { byConcern, LEAST_COVERAGE, split, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import { profileCalmly } from '../watching/calm-window.ts'
import { watchProcess } from '../watching/watch-process.ts'
import { install } from './install.fixture.ts'
import { services } from './services.fixture.ts'

const WARMUP_MS = 3000
const WINDOW_MS = 5000
/** Two concerns whose shares differ by less are both the largest. */
const NEAR = 0.05

for (const [name, service] of Object.entries(services)) {
  test(`the spectrum of ${service.title} explains its CPU time, and has its largest concern`, async t => {
    const directory = install(name, service)
    const port = await findFreePort()
    const here = process.cwd()
    process.chdir(directory)
    t.after(() => process.chdir(here))
    Object.assign(process.env, { PORT: String(port), NODE_ENV: 'production' })
    const args = service.args.map(arg => arg.replace('{port}', String(port)))
    const words = [process.execPath, ...args]
    const url = service.path && `http://127.0.0.1:${port}${service.path}`
    const load = { ...loadOf(url), ...service.load }
    const findOwner = createFindOwner(directory)
    const concernOf = createConcernOf(undefined, service.program)
    const seen = await withSubject(load, words, t.signal, async ({ pid, abort }) => {
      await pause(WARMUP_MS, abort)
      const [window] = await watchProcess(pid, abort, watched => profileCalmly(watched, WINDOW_MS))
      return split(window, readSeenTime(window.profile, findOwner, concernOf))
    })
    const shares = sharesOf(seen)
    const facts = [...shares].map(([concern, share]) => `${concern} ${percent(share)}`)
    t.diagnostic(`coverage ${percent(seen.coverage ?? 0)}: ${facts.join(', ')}`)
    assert.ok((seen.coverage ?? 0) >= LEAST_COVERAGE, `coverage ${seen.coverage}`)
    const isLargest = (shares.get(service.largest) ?? 0) >= Math.max(...shares.values()) - NEAR
    assert.ok(isLargest, `the largest is not ${service.largest}`)
  })
}

/** Shares of the time that a profiler explains, the largest first. */
function sharesOf(thread: ThreadSpectrum): Map<string, number> {
  const explained = 1 - thread.missedShare
  return new Map(
    byConcern(thread).map(({ concern, share, gcShare }) => [concern, (share + gcShare) / explained]),
  )
}
