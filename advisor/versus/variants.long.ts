import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { withSides } from './choose-sides.ts'

const { signal: abort } = new AbortController()
const words = ['node', 'server.js']

test('a package is taken in another version, in a copy of the project', async t => {
  const root = writeProject(t, {
    'service/package.json': { name: 'service' },
    'service/package-lock.json': { name: 'service', lockfileVersion: 3, packages: { '': {} } },
    'service/node_modules/left/package.json': { name: 'left', version: '1.0.0' },
    'left/package.json': { name: 'left', version: '2.0.0' },
  })
  const here = { directory: join(root, 'service'), abort }
  const left = (directory: string) =>
    JSON.parse(readFileSync(join(directory, 'node_modules/left/package.json'), 'utf8')).version
  await withSides({ with: `file:${root}/left` }, words, here, async ({ before, after }) => {
    assert.deepEqual([left(before.directory), left(after.directory)], ['1.0.0', '2.0.0'])
  })
  assert.equal(left(here.directory), '1.0.0')
})

test('a branch has the packages of the repository and those of the service, if it has a lock file', async t => {
  const root = writeProject(t, {
    ...locked('', 'outer'),
    ...locked('service/', 'inner'),
    'outer/package.json': { name: 'outer' },
    'service/inner/package.json': { name: 'inner' },
  })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
  git('init', '--initial-branch', 'main')
  git('add', '.')
  git('-c', 'user.name=somebody', '-c', 'user.email=somebody@localhost', 'commit', '--message', 'a service')
  const here = { directory: join(root, 'service'), abort }
  await withSides({ branch: 'main' }, words, here, async ({ after: { directory } }) => {
    assert.ok(existsSync(join(directory, 'node_modules/inner')))
    assert.ok(existsSync(join(directory, '../node_modules/outer')))
  })
})

/** A project in `folder` that needs a package of a folder within it, with its lock file. */
const locked = (folder: string, name: string) => {
  const project = { dependencies: { [name]: `file:${name}` } }
  const packages = { '': project, [name]: {}, [`node_modules/${name}`]: { resolved: name, link: true } }
  return {
    [`${folder}package.json`]: project,
    [`${folder}package-lock.json`]: { lockfileVersion: 3, requires: true, packages },
  }
}

function writeProject(t: TestContext, files: Readonly<Record<string, object>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'variants-'))
  t.after(() => rmSync(directory, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), JSON.stringify(content))
  }
  return directory
}
