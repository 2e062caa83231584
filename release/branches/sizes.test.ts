import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type File, Repository } from './git.ts'
import { sizeOf } from './sizes.ts'

const file = (text: string): File => ({ mode: '100644', content: Buffer.from(text) })

test('the size of a step separates the code of the main thread from all other code', t => {
  const directory = mkdtempSync(join(tmpdir(), 'repository-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const git = ['-c', 'user.name=A B', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first']
  for (const args of [['init', '-q'], git]) execFileSync('git', args, { cwd: directory })
  const repository = new Repository(directory)
  const head = repository.run(['rev-parse', 'HEAD'])
  const before = repository.writeCommit(new Map([['app/a.ts', file('1\n')]]), head, 'before', head)
  const after = repository.writeCommit(
    new Map([
      ['app/b/c.ts', file('1\n2\n')],
      ['workers/main-thread/d.ts', file('1\n')],
      ['workers/thread.ts', file('1\n2\n3\n')],
    ]),
    before,
    'after',
    head,
  )
  assert.deepEqual(sizeOf(repository, { name: 'a step', parent: before, commit: after }), {
    name: 'a step',
    mainThread: { files: 3, insertions: 3, deletions: 1 },
    all: { files: 4, insertions: 6, deletions: 1 },
  })
})
