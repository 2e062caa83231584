import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type File, Repository } from './git.ts'
import { sizeOf } from './sizes.ts'
import { commitSteps } from './update.ts'

const file = (text: string): File => ({ mode: '100644', content: Buffer.from(text) })

test('the slide of a step is its change in the app, without tests', t => {
  const directory = mkdtempSync(join(tmpdir(), 'repository-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const git = ['-c', 'user.name=A B', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first']
  for (const args of [['init', '-q'], git]) execFileSync('git', args, { cwd: directory })
  const repository = new Repository(directory)
  const head = repository.run(['rev-parse', 'HEAD'])
  const parent = repository.writeCommit(new Map([['app/a.ts', file('1\n')]]), head, 'before', head)
  const tree = new Map([
    ['app/b/c.ts', file('1\n2\n')],
    ['app/b/c.test.ts', file('1\n2\n')],
    ['workers/thread.ts', file('1\n2\n3\n')],
  ])
  const commit = repository.writeCommit(tree, parent, 'after', head)
  assert.deepEqual(sizeOf(repository, { name: 'a step', tree, parent, commit }), {
    name: 'a step',
    files: 3,
    lines: 5,
    slide: { insertions: 2, deletions: 1 },
  })
})

/** The most lines that a step may add. */
const SLIDE_LINES = 150

test('every branch fits in one head, and every slide on a slide', () => {
  const repository = new Repository(join(import.meta.dirname, '../..'))
  const branches = commitSteps(repository, repository.run(['rev-parse', 'HEAD']))
  const sizes = branches.map(branch => sizeOf(repository, branch))
  const [first, last] = [sizes[0], sizes.at(-1)]
  assert.ok(first && first.files <= 250 && first.lines <= 10_000, JSON.stringify(first))
  assert.ok(last && last.files <= 450 && last.lines <= 20_000, JSON.stringify(last))
  const tooLarge = sizes.slice(1).filter(({ slide }) => slide.insertions > SLIDE_LINES)
  assert.deepEqual(tooLarge, [])
})
