import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/http/listen.ts'
import { percent } from '../output/tables.ts'
import { byConcern, LEAST_COVERAGE, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import { type RealService, services } from './services.fixture.ts'

/** Two concerns whose shares differ by less are both the largest. */
const NEAR = 0.05

for (const [name, service] of Object.entries(services))
  test(`the spectrum of ${service.title} explains its CPU time, and has its largest concern`, async t => {
    const main = await spectrumOf(service, install(name, service))
    const shares = byConcern(main).map(({ concern, share, gcShare }) => ({
      concern,
      // Of the time that the profiler explains.
      share: (share + gcShare) / (1 - main.missedShare),
    }))
    const facts = shares.map(({ concern, share }) => `${concern} ${percent(share)}`)
    t.diagnostic(`coverage ${percent(main.coverage ?? 0)}: ${facts.join(', ')}`)
    assert.ok((main.coverage ?? 0) >= LEAST_COVERAGE, `coverage ${main.coverage}`)
    const [largest = assert.fail()] = shares
    const expected = shares.find(({ concern }) => concern === service.largest)
    assert.ok((expected?.share ?? 0) >= largest.share - NEAR, `the largest is ${largest.concern}`)
  })

/** Asks the command for the spectrum of a service in its directory. */
async function spectrumOf({ args, path, loadWith }: RealService, cwd: string): Promise<ThreadSpectrum> {
  const port = String(await findFreePort())
  const load = loadWith ? ['--load-with', loadWith] : ['--url', `http://127.0.0.1:${port}${path}`]
  const words = ['spectrum', '--json', '--ready', '60s', '--warmup', '3s', '--for', '5s', ...load]
  const service = [process.execPath, ...args.map(arg => arg.replace('{port}', port))]
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../main.ts'), ...words, '--', ...service],
    { cwd, env: { ...process.env, PORT: port, NODE_ENV: 'production' }, maxBuffer: 2 ** 27 },
  )
  return JSON.parse(stdout).main
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
