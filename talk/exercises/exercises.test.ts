import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { UserError } from '../../lib/cli/user-error.ts'
import { branchOf, exercises, type NumberedExercise } from './exercises.ts'
import { beginningOf, goTo, nextHint, requireStart, solutionOf } from './learner.ts'
import { createProject } from './project.fixture.ts'

/** The points, from 1, that are missing at the beginning of each exercise. The others keep a learner from breaking more. */
const missing: Readonly<Record<string, readonly number[]>> = {
  pool: [2, 3],
  fifo: [1, 2, 3],
  kill: [1, 2],
  render: [1, 2, 3],
  predict: [1, 2, 3, 4, 5],
  omission: [2, 3],
  slices: [2, 3],
  uvpool: [1, 4],
  pressure: [1, 3],
}

const project = createProject()

const exercise = (name: string) => exercises.find(each => each.name === name) as NumberedExercise
const refused = (says: RegExp) => (error: unknown) => error instanceof UserError && says.test(error.message)

/** Runs the command of the learner. */
function runCommand(...args: readonly string[]) {
  const env = {
    ...process.env,
    // This variable would tell the command that it is a test itself, which cannot run others.
    NODE_TEST_CONTEXT: undefined,
    // The compiled code of a directory that is removed is removed with it.
    NODE_COMPILE_CACHE: join(project.directory, '.git/compiled'),
  }
  const options = { cwd: project.directory, encoding: 'utf8', env } as const
  return spawnSync(process.execPath, ['talk/exercises/main.ts', ...args], options)
}

function runCheck({ number }: NumberedExercise) {
  const { status, stdout, stderr } = runCommand(String(number), '--check')
  const outcomes = [...stdout.matchAll(/^ {2}(ok|not yet) /gm)].map(([, outcome]) => outcome)
  const missing = outcomes.flatMap((outcome, index) => (outcome === 'ok' ? [] : [index + 1]))
  return { status, missing, says: stdout + stderr }
}

for (const each of exercises) {
  describe(`exercise ${each.number}, ${each.name}`, () => {
    test('is main with a patch that fits, and its check says what is missing', () => {
      goTo(project.repository, each)
      const { status, says, ...checked } = runCheck(each)
      assert.deepEqual(checked.missing, missing[each.name], says)
      assert.equal(status, 1)
    })

    test('has a solution, which is main', () => {
      const { directory, repository, git } = project
      writeFileSync(join(directory, '.git/solution'), solutionOf(repository, each))
      git('apply', '.git/solution')
      assert.equal(git('diff', 'main'), '')
      assert.equal(solutionOf(repository, each), '')
      git('commit', '--quiet', '--all', '-m', 'solved')
    })
  })
}

describe('a check', () => {
  /** Checks the first exercise with other points in place of its own. */
  function checkWith(points: string) {
    const { directory, repository, git } = project
    goTo(repository, exercise('pool'))
    writeFileSync(join(directory, 'talk/exercises/pool/points.test.ts'), points)
    const checked = runCheck(exercise('pool'))
    git('checkout', '--quiet', '.')
    return checked
  }

  test('reports code that never answers, and code that fails after its point was left, in one line each', () => {
    const { missing, status, says } = checkWith(`
      import { expectPoints } from '../point.fixture.ts'
      const point = { expects: 'an answer', look: 'there', limitMs: 20 }
      const failLate = () => setImmediate(() => { throw new Error('too late') })
      expectPoints([
        { ...point, see: () => new Promise(() => {}) },
        { ...point, see: () => new Promise(failLate) },
        { ...point, see: async () => void setInterval(() => {}, 1000) },
      ])`)
    assert.deepEqual([missing, status], [[1, 2], 1], says)
    assert.match(says, /seen {2}test timed out after 20ms\n {4}look {2}there\n/)
    assert.match(says, /seen {2}Error: too late, thrown at .*points\.test\.ts:4\n {4}look {2}there\n/)
  })

  test('says where code cannot be loaded', () => {
    const { missing, status, says } = checkWith("import './absent.ts'")
    assert.deepEqual([missing, status], [[1], 1], says)
    assert.match(says, /Cannot find module .*absent\.ts/)
  })
})

describe('a learner', () => {
  test('reads the task, the table that it needs, and how to go on', () => {
    project.git('switch', '--quiet', 'main')
    const { status, stdout, stderr } = runCommand('predict')
    assert.equal(status, 0, stderr)
    assert.match(
      stdout,
      /^You continue on the branch exercise-5-predict\.\n\nExercise 5, predict: .*\n0 monolith +\d+ .*exercise -- 5 --hint/s,
    )
  })

  test('keeps what was committed, when another exercise is begun and the first one continued', () => {
    const { repository, git } = project
    const solved = git('rev-parse', branchOf(exercise('pool')))
    assert.equal(goTo(repository, exercise('fifo')), false)
    assert.equal(goTo(repository, exercise('pool')), false)
    assert.equal(git('rev-parse', 'HEAD'), solved)
    assert.equal(git('branch', '--show-current').trim(), 'exercise-1-pool')
  })

  test('begins every exercise from main, wherever the work tree is', () => {
    const { repository, git } = project
    goTo(repository, exercise('kill'))
    const beginning = beginningOf(repository, exercise('render'))
    assert.equal(git('rev-parse', `${beginning}^`), git('rev-parse', 'main'))
  })

  test('is asked to commit before a switch, and nothing is changed', () => {
    const { directory, repository, git } = project
    goTo(repository, exercise('pool'))
    writeFileSync(join(directory, 'app/concerns/compute/threads.ts'), '// half a solution\n')
    writeFileSync(join(directory, 'notes.md'), 'a new file\n')
    const says =
      /compute\/threads\.ts, notes\.md\n.*exercise-1-pool: {2}git add -A && git commit .*stash -u.*exercise -- 2/s
    assert.throws(() => goTo(repository, exercise('fifo')), refused(says))
    assert.equal(git('status', '--porcelain'), ' M app/concerns/compute/threads.ts\n?? notes.md\n')
    git('stash', '--include-untracked')
  })

  test('can begin anew under the old name, and the earlier work keeps its hints', () => {
    const { repository, git } = project
    goTo(repository, exercise('pool'))
    const hints = () => nextHint(repository, exercise('pool'))
    assert.deepEqual([hints(), hints(), hints(), hints()], [1, 2, 3, 3])
    git('branch', '-m', 'my-pool')
    assert.equal(goTo(repository, exercise('pool')), true)
    assert.equal(hints(), 1)
    git('switch', '--quiet', 'my-pool')
    assert.equal(hints(), 3)
  })

  test('is told how to begin or continue when the work tree lacks the exercise', () => {
    const { repository, git } = project
    git('switch', '--quiet', 'main')
    const require = () => requireStart(repository, exercise('fifo'))
    assert.throws(require, refused(/has main, without exercise 2; continue it with: npm run exercise -- 2$/))
    git('branch', '-D', branchOf(exercise('fifo')))
    assert.throws(require, refused(/begin it with/))
  })
})
