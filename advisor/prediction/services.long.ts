import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { percent } from '../output/tables.ts'
import { byConcern, LEAST_COVERAGE, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import { ask, DIRECTORY, install, readEnv } from './advised.fixture.ts'

/** The metadata of a package with sixty versions, as verdaccio stores it. */
const versions = Array.from({ length: 60 }, (_, minor) => `1.${minor}.0`)
const describeVersion = (version: string) => ({
  ...{ name: 'left', version, description: 'a package', dependencies: { right: '^1.0.0' } },
  dist: { shasum: 'a'.repeat(40), tarball: `http://localhost/left/-/left-${version}.tgz` },
})
const manifest = {
  ...{ name: 'left', 'dist-tags': { latest: versions.at(-1) } },
  time: Object.fromEntries(versions.map(version => [version, '2026-01-01T00:00:00.000Z'])),
  versions: Object.fromEntries(versions.map(version => [version, describeVersion(version)])),
  ...{ _distfiles: {}, _attachments: {}, _uplinks: {}, _rev: '1-1' },
}
const postOf = (id: number) => ({ id, author: `author ${id % 7}`, views: (id * 37) % 1000 })
const posts = Array.from({ length: 300 }, (_, id) => postOf(id))

before(() => {
  install()
  mkdirSync(join(DIRECTORY, 'storage/left'), { recursive: true })
  writeFileSync(join(DIRECTORY, 'storage/left/package.json'), JSON.stringify(manifest))
  writeFileSync(join(DIRECTORY, 'db.json'), JSON.stringify({ posts }))
})

/** Two concerns whose shares differ by less are both the largest. */
const NEAR = 0.05

/** Services that nobody here wrote, and samples of well-known frameworks, each with its largest concern. */
for (const [title, largest, path, command] of [
  [
    'verdaccio 6.1',
    'application',
    '/left',
    'node_modules/verdaccio/bin/verdaccio --config verdaccio.yaml --listen PORT',
  ],
  [
    'json-server 0.17',
    'framework',
    '/posts?author=author%203&_sort=views',
    'node_modules/json-server/lib/cli/bin.js --quiet --port PORT db.json',
  ],
  ['a sample of NestJS 11', 'framework', '/orders', 'service.fixture.mjs nest'],
  ['aedes 1, an MQTT broker', 'messaging', undefined, 'service.fixture.mjs mqtt'],
] as const)
  test(`the spectrum of ${title} explains its CPU time, and has its largest concern`, async t => {
    const env = await readEnv()
    const load = path
      ? ['--url', `http://127.0.0.1:${env.PORT}${path}`]
      : ['--load-with', 'node service.fixture.mjs mqtt-load']
    const times = ['--ready', '60s', '--warmup', '3s', '--for', '5s']
    const service = ['node', ...command.replace('PORT', env.PORT).split(' ')]
    const { main, unit, requests } = await ask(env, 'spectrum', ...times, ...load, '--', ...service)
    assert.equal(unit, path ? 'request' : 'message')
    assert.ok(requests > 10)
    assertLargest(main, largest, line => t.diagnostic(line))
  })

function assertLargest(main: ThreadSpectrum, expected: string, tell: (line: string) => void): void {
  const shares = byConcern(main).map(({ concern, share, gcShare }) => ({
    concern,
    // Of the time that the profiler explains.
    share: (share + gcShare) / (1 - main.missedShare),
  }))
  const facts = shares.map(({ concern, share }) => `${concern} ${percent(share)}`)
  tell(`coverage ${percent(main.coverage ?? 0)}: ${facts.join(', ')}`)
  assert.ok((main.coverage ?? 0) >= LEAST_COVERAGE, `coverage ${main.coverage}`)
  const [largest = assert.fail()] = shares
  const found = shares.find(({ concern }) => concern === expected)?.share ?? 0
  assert.ok(found >= largest.share - NEAR, `the largest is ${largest.concern}`)
}
