import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type Step, steps } from '../../app/steps.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { Repository } from './git.ts'
import { branchOf } from './rules.ts'
import { type Branch, messageFor, placeBranches } from './update.ts'

const [step] = steps as readonly [Step]
const NAME = branchOf(step)
const BINARY = Buffer.from([0, 255, 10, 13, 0])

/** A repository with one commit, a change in the index and a change in the work tree. */
function start(t: TestContext) {
  const directory = temporaryDirectory(t)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A B', '-c', 'user.email=a@b', ...args], {
      cwd: directory,
    }).toString()
  git('init', '--quiet', '--initial-branch=main')
  mkdirSync(join(directory, 'a folder'))
  writeFileSync(join(directory, 'a folder/“text”.txt'), 'committed\n')
  writeFileSync(join(directory, 'binary'), BINARY)
  git('add', '.')
  git('commit', '--quiet', '-m', 'first', '--date=2001-02-03T04:05:06Z')
  writeFileSync(join(directory, 'binary'), 'staged')
  git('add', 'binary')
  writeFileSync(join(directory, 'a folder/“text”.txt'), 'not staged')
  const repository = new Repository(directory)
  const head = repository.run(['rev-parse', 'HEAD'])
  const make = (message: string): Branch => {
    const tree = repository.readTree(head)
    return { name: NAME, step, tree, parent: head, commit: repository.writeCommit(tree, head, message, head) }
  }
  return { directory, git, repository, head, make, message: messageFor(new Map(), step) }
}

const refused = (says: RegExp) => (error: unknown) => error instanceof UserError && says.test(error.message)

describe('a repository', () => {
  test('is read as it was committed, with any names and bytes', t => {
    const { repository, head } = start(t)
    const tree = repository.readTree(head)
    assert.deepEqual([...tree.keys()], ['a folder/“text”.txt', 'binary'])
    assert.equal(String(tree.get('a folder/“text”.txt')?.content), 'committed\n')
    assert.deepEqual(tree.get('binary')?.content, BINARY)
  })

  test('takes a commit whose hash depends on nothing but its content, and leaves work tree and index alone', t => {
    const { repository, head, git, make } = start(t)
    const before = git('status', '--porcelain')
    const tree = new Map(repository.readTree(head)).set('binary', { mode: '100755', content: BINARY })
    const commits = [1, 2].map(() => repository.writeCommit(tree, head, 'made\n\nso', head))
    assert.equal(commits[0], commits[1])
    assert.notEqual(commits[0], make('made\n\nso').commit)
    assert.equal(git('status', '--porcelain'), before)
    assert.match(before, /^ M .*\nM {2}binary/)
    const shown = git('log', '-1', '--format=%an %ae %ai %P', commits[0] as string).trim()
    assert.equal(shown, `A B a@b 2001-02-03 04:05:06 +0000 ${head}`)
    assert.match(git('ls-tree', commits[0] as string), /^100755 blob .*\tbinary$/m)
  })

  test('reports a failure of git in one line', t => {
    const { repository } = start(t)
    assert.throws(() => repository.readTree('nothing'), refused(/^git ls-tree failed: fatal: .*nothing.*$/))
  })
})

describe('the branch of a step', () => {
  test('is made, and replaced later', t => {
    const { repository, make, message } = start(t)
    for (const body of [message, message.replace('\n\n', '\n\nBetter. ')]) {
      const branch = make(body)
      placeBranches(repository, [branch], false)
      assert.equal(repository.find(`refs/heads/${NAME}`), branch.commit)
    }
  })

  test('is not overwritten when somebody has amended it, or it has other commits, unless by force', t => {
    const { repository, git, make, message } = start(t)
    const branch = make(message)
    const isRefused = () =>
      assert.throws(
        () => placeBranches(repository, [branch], false),
        refused(/step-0-monolith has commits .*--force/),
      )
    git('branch', NAME)
    isRefused()
    placeBranches(repository, [branch], true)
    assert.equal(repository.find(`refs/heads/${NAME}`), branch.commit)
    git('checkout', '--quiet', '--force', NAME)
    git('commit', '--quiet', '--amend', '--no-edit', '--allow-empty', '--date=2002-03-04T05:06:07Z')
    git('checkout', '--quiet', 'main')
    isRefused()
  })

  test('is not moved while a work tree has it checked out, even by force', t => {
    const { directory, repository, git, make, message } = start(t)
    const branch = make(message)
    placeBranches(repository, [branch], false)
    git('worktree', 'add', '--quiet', join(directory, 'other tree'), NAME)
    assert.throws(
      () => placeBranches(repository, [branch], true),
      refused(/(used by worktree|checked out) at .*other tree/),
    )
  })
})
