import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Choice, withSides } from './choose-sides.ts'

const { signal: abort } = new AbortController()
const here = { directory: tmpdir(), abort }

test('two commands are compared as they are given, in the directory of the service', async () => {
  await withSides({ before: 'node a.js', after: 'node b.js' }, [], here, async ({ before, after }) => {
    assert.deepEqual([before.command, after.command], ['node a.js', 'node b.js'])
    assert.equal(before.directory, here.directory)
  })
})

const mistakes: readonly (readonly [Choice, readonly string[], RegExp])[] = [
  [{}, [], /both commands/],
  [{ before: 'node a.js' }, [], /both commands/],
  [{}, ['node', 'a.js'], /needs --with, --node or --branch/],
  [{ with: 'pino@9' }, [], /--with needs the command/],
  [{ with: 'pino@9', before: 'node a.js' }, ['node', 'a.js'], /not --before and --after/],
  [{ with: 'pino@9', node: '22' }, ['node', 'a.js'], /give one of/],
  [{ with: 'a@1,a@2,a@3' }, ['node', 'a.js'], /one or two names/],
  [{ with: 'a@1,' }, ['node', 'a.js'], /one or two names/],
  [{ branch: 'main' }, ['node', 'a.js'], /git failed: not a git repository/],
]
for (const [choice, words, message] of mistakes) {
  test(`is refused in one line: ${JSON.stringify(choice)} ${words.join(' ')}`, async () => {
    await assert.rejects(
      withSides(choice, words, here, async () => assert.fail('nothing is measured')),
      { name: 'UserError', message },
    )
  })
}

test('a package of a member of a workspace is not varied, because its packages are in the root', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'versus-'))
  t.after(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'package.json'), '{ "name": "member" }')
  await assert.rejects(
    withSides({ with: 'pino@9' }, ['node', 'a.js'], { directory, abort }, async () => assert.fail()),
    { name: 'UserError', message: /has installed no packages in .*--before and --after/ },
  )
})

test('a branch is taken as it is committed, in the same folder of its repository, and is removed again', async t => {
  const repository = makeRepository(t)
  const service = { directory: join(repository, 'service'), abort }
  const server = (directory: string) => readFileSync(join(directory, 'server.js'), 'utf8')
  const words = ['node', 'server.js', "it's"]
  const copy = await withSides({ branch: 'main' }, words, service, async ({ before, after }) => {
    assert.equal(server(before.directory), 'changed')
    assert.equal(server(after.directory), 'committed')
    assert.equal(after.command, "node server.js 'it'\\''s'")
    return after.directory
  })
  assert.ok(!existsSync(copy))
})

function makeRepository(t: TestContext): string {
  const repository = mkdtempSync(join(tmpdir(), 'versus-'))
  t.after(() => rmSync(repository, { recursive: true }))
  const write = (text: string) => writeFileSync(join(repository, 'service/server.js'), text)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'pipe' })
  mkdirSync(join(repository, 'service'))
  write('committed')
  git('init', '--initial-branch', 'main')
  git('add', '.')
  git('-c', 'user.name=somebody', '-c', 'user.email=somebody@localhost', 'commit', '--message', 'a server')
  write('changed')
  return repository
}
