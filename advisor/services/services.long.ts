import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { findFreePort } from '../../lib/http/listen.ts'
import { pause } from '../../loadtest/generator/load.ts'
import { type Chosen, withSubject } from '../commands/subject.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { percent } from '../output/tables.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { readSeenTime } from '../spectrum/parts.ts'
import { byConcern, LEAST_COVERAGE, split, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import { profileCalmly } from '../watching/calm-window.ts'
import { watchProcess } from '../watching/watch-process.ts'
import { type RealService, services } from './services.fixture.ts'

const WARMUP_MS = 3000
const WINDOW_MS = 5000
const noLoad: Chosen = {
  attach: undefined,
  url: undefined,
  connections: 10,
  readyMs: 60_000,
  acceptErrors: false,
  loadWith: undefined,
  method: undefined,
  header: undefined,
  body: undefined,
  bodyFile: undefined,
  requests: undefined,
}
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
    const load = { ...noLoad, url, ...service.load }
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

/** Each service has a directory here. It is outside of any `node_modules`, so that its own code does not look like a package. */
const CACHE = join(homedir(), '.cache/main-thread-services')
/** verdaccio 6.1 wants a version of this package that npm no longer has. */
const overrides = { 'node-fetch': '2.7.0' }

/**
 * Installs the packages of a service, unless they are there already, and writes its files.
 * @returns its directory
 */
function install(name: string, { packages, files = {} }: RealService): string {
  const directory = join(CACHE, name)
  if (!existsSync(directory)) getPackages(directory, packages)
  cpSync(join(import.meta.dirname, 'samples'), directory, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}

function getPackages(directory: string, packages: readonly string[]): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, overrides }))
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts']
  try {
    execFileSync('npm', ['install', ...flags, ...packages], { cwd: directory, stdio: 'pipe' })
  } catch (error) {
    rmSync(directory, { recursive: true })
    throw error
  }
}
